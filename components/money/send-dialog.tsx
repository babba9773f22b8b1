"use client";

import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { written } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import { ActDialog } from "./act-dialog";
import { ACT_WORDS } from "./act-wording";
import type { MoneyDialogProps } from "./dialog-props";
import { hasPaidAddress, rememberPaid } from "./has-paid-address";
import { PaidDialog } from "./paid-dialog";
import { PaymentReview, type Reviewed } from "./payment-review";
import { RecentRecipients } from "./recent-recipients";
import { RecipientState, recipientProblem, recipientRefusal } from "./recipient-state";
import { SpentAmountField } from "./spent-amount-field";
import { forgetTyped, typedWith } from "./typed-elsewhere";
import { useSpentAmount, useSubmission } from "./use-available-amount";
import { useDebouncedValue } from "./use-debounced-value";
import { useMoneyMutation } from "./use-money-mutation";

function DialogLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="font-medium text-ink underline underline-offset-2">
      {children}
    </Link>
  );
}

/** The longest memo that the API accepts (docs/protocol.md section 6). */
const MEMO_BYTES = 512;

/**
 * Pays from the available balance. The person reviews the full payment; then this browser prepares, proves and signs
 * it.
 */
export function SendDialog({ onClose, assets, address: payer, asset: first, to: payee = "" }: MoneyDialogProps) {
  const toInput = useRef<HTMLInputElement>(null);
  const network = useNetwork();
  const vault = useVault();
  const [to, setTo] = useState(payee);
  const [memo, setMemo] = useState("");
  // A snapshot of what the person reviewed: figures that change later don't change the review.
  const [reviewed, setReviewed] = useState<Reviewed>();
  const from = useSpentAmount(assets, { first, typed: typedWith(payee) });
  useEffect(forgetTyped, []);
  const looked = useDebouncedValue(to);
  const named = recipientProblem(looked) === undefined;
  const found = useDecrypted("recipient", { to: looked }, { enabled: named });
  const act = useMoneyMutation("send", { act: "send", to: (input) => input.to });

  const { amount, asset, available, wrong, short, decimals } = from;
  const memoBytes = new TextEncoder().encode(memo).length;
  const refusal = looked === to && vault.status === "unlocked" ? recipientRefusal(found) : undefined;
  const problems = {
    to: recipientProblem(to) ?? refusal,
    amount: wrong,
    memo: memoBytes > MEMO_BYTES ? `A memo holds up to ${MEMO_BYTES} bytes; this has ${memoBytes}.` : undefined,
  };
  const form = useSubmission(from, {
    wrong: Object.values(problems).some((problem) => problem !== undefined),
    covered: short === undefined,
    looking: looked !== to || found.isPending,
    run: async () => {
      if (!found.data) return;
      const { address, own, pin } = found.data;
      const known = own !== null || pin === "same" || (await hasPaidAddress({ network, address: payer }, address));
      setReviewed({
        amount,
        asset,
        decimals,
        from: "your available balance",
        handle: to.startsWith("@") ? to : undefined,
        address,
        own,
        isNew: !known,
        memo: memo === "" ? undefined : memo,
      });
      // The worker asks for the address again, and pays no other than this one.
      act.review({ to, meant: address, amount, asset, memo: memo === "" ? undefined : memo });
    },
  });
  const again = () => {
    act.reset();
    setTo("");
    from.setAmount("");
    setMemo("");
    form.setChecked(false);
  };
  const { state } = act;
  if (state.at === "done" || state.at === "found") {
    return (
      <PaidDialog
        title="Send"
        paid={state}
        asset={state.input.asset ?? asset}
        onClose={onClose}
        more={<Button onClick={again}>Send another</Button>}
      >
        to <span className="wrap-anywhere font-medium">{state.input.to}</span>
      </PaidDialog>
    );
  }
  const busy = state.at !== "form" || form.waiting;
  return (
    <ActDialog
      title="Send"
      description="A private payment from your available balance: only you and the recipient see the amount."
      initialFocus={toInput}
      onClose={onClose}
      onSubmit={form.submit}
      submit="Review"
      act={act}
      working={form.working}
      words={ACT_WORDS.send}
      asset={asset}
      blocked={act.blockedTo(to)}
      review={
        reviewed && {
          title: "Review payment",
          content: <PaymentReview of={reviewed} available={available} asking={state.at === "review"} />,
          submit: `Pay ${written(reviewed.amount)} ${reviewed.asset}`,
          onSubmit: () => {
            if (state.at !== "review") return;
            act.start(state.input);
            void rememberPaid({ network, address: payer }, reviewed.address ?? "");
          },
        }
      }
    >
      <Field
        label="To"
        hint={refusal ? undefined : <RecipientState to={to} found={found} />}
        error={form.checked ? problems.to : refusal}
      >
        {(control) => (
          <Input
            {...control}
            ref={toInput}
            value={to}
            onChange={(event) => setTo(event.target.value.trim())}
            placeholder="@handle or 0x…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={busy}
          />
        )}
      </Field>
      {to === "" && <RecentRecipients onChoose={setTo} disabled={busy} />}
      <SpentAmountField from={from} form={form} all="Use all" disabled={busy} />
      <Field label="Memo" optional hint="Encrypted: only you and the recipient can read it." error={problems.memo}>
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            value={memo}
            onChange={(event) => setMemo(event.target.value)}
            disabled={busy}
          />
        )}
      </Field>
      <p className="text-muted text-xs">
        To pay many at once, <DialogLink href={`/${network}/payouts/new`}>pay a file</DialogLink>. To be paid,{" "}
        <DialogLink href={`/${network}/requests/new`}>request a payment</DialogLink>.
      </p>
    </ActDialog>
  );
}
