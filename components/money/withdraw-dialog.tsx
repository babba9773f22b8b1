"use client";

import { useRef, useState } from "react";
import { isAddress, isAddressEqual } from "viem";
import { useNetwork } from "@/components/api/network-context";
import { shortened } from "@/components/ui/address";
import { written } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { ActDialog } from "./act-dialog";
import { ACT_WORDS } from "./act-wording";
import type { MoneyDialogProps } from "./dialog-props";
import { hasPaidAddress, rememberPaid } from "./has-paid-address";
import { PaidDialog } from "./paid-dialog";
import { PaymentReview, type Reviewed } from "./payment-review";
import { SpentAmountField } from "./spent-amount-field";
import { useSpentAmount, useSubmission } from "./use-available-amount";
import { useMoneyMutation } from "./use-money-mutation";

/**
 * Returns what is wrong with an address as typed, or undefined. Checks the checksum of a mixed-case address (EIP-55).
 */
function addressProblem(to: string): string | undefined {
  if (to === "") return "Enter an address.";
  if (isAddress(to)) return undefined;
  return /^0x[0-9a-f]{40}$/i.test(to)
    ? "The checksum of this address is wrong: a character was changed. Copy it again."
    : "Enter an address: 0x and 40 hex digits.";
}

/** Pays tokens from the available balance to an address, in public, after a review of the full amount and address. */
export function WithdrawDialog({ onClose, assets, address, asset: first, agent }: MoneyDialogProps) {
  const toInput = useRef<HTMLInputElement>(null);
  const network = useNetwork();
  const [to, setTo] = useState("");
  // A snapshot of what the person reviewed: figures that change later don't change the review.
  const [reviewed, setReviewed] = useState<Reviewed>();
  const from = useSpentAmount(assets, { first, agent });
  const act = useMoneyMutation("withdraw", { act: "withdraw", to: (input) => input.to });

  const { amount, asset, available, wrong, short, decimals } = from;
  const nowhere = addressProblem(to);
  const payer = { network, address };
  const form = useSubmission(from, {
    wrong: (nowhere ?? wrong) !== undefined,
    covered: short === undefined,
    run: async () => {
      if (!isAddress(to)) return;
      const ownWallet = isAddressEqual(to, address as `0x${string}`);
      setReviewed({
        amount,
        asset,
        decimals,
        from: agent ? `the available balance of ${agent}` : "your available balance",
        address: to,
        own: ownWallet ? "account" : null,
        isNew: !ownWallet && !(await hasPaidAddress(payer, to)),
        isPublic: true,
      });
      act.review({ to, amount, asset, agent });
    },
  });
  const title = agent ? `Withdraw from ${agent}` : "Withdraw";
  const { state } = act;
  if (state.at === "done" || state.at === "found") {
    return (
      <PaidDialog title={title} paid={state} asset={state.input.asset ?? asset} onClose={onClose}>
        to <span className="font-mono text-base">{shortened(state.input.to)}</span>
      </PaidDialog>
    );
  }
  const busy = state.at !== "form" || form.waiting;
  return (
    <ActDialog
      title={title}
      description="Withdraws from your available balance to any address on this chain."
      initialFocus={toInput}
      onClose={onClose}
      onSubmit={form.submit}
      submit="Review"
      act={act}
      working={form.working}
      words={ACT_WORDS.withdraw}
      asset={asset}
      agent={agent}
      blocked={act.blockedTo(to)}
      review={
        reviewed && {
          title: "Review withdrawal",
          content: <PaymentReview of={reviewed} available={available} asking={state.at === "review"} />,
          submit: `Pay ${written(reviewed.amount)} ${reviewed.asset}`,
          onSubmit: () => {
            if (state.at !== "review") return;
            act.start(state.input);
            void rememberPaid(payer, state.input.to);
          },
        }
      }
    >
      <Callout tone="warning" title="A withdrawal is public.">
        Anyone can see the amount and both addresses on chain. What stays in your account stays private.
      </Callout>
      <div className="grid gap-2">
        <Field label="To address" error={form.checked ? nowhere : undefined}>
          {(control) => (
            <Input
              {...control}
              ref={toInput}
              value={to}
              onChange={(event) => setTo(event.target.value.trim())}
              placeholder="0x…"
              autoComplete="off"
              spellCheck={false}
              disabled={busy}
              className="font-mono"
            />
          )}
        </Field>
        <div>
          <Button size="small" onClick={() => setTo(address)} disabled={busy}>
            Use my wallet, {shortened(address)}
          </Button>
        </div>
      </div>
      <SpentAmountField from={from} form={form} agent={agent} all="Use all" disabled={busy} />
    </ActDialog>
  );
}
