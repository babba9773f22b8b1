"use client";

import { useId, useRef, useState } from "react";
import { Amount, written } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { classNames } from "@/components/ui/class-names";
import { Dialog } from "@/components/ui/dialog";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import { ActDialog } from "./act-dialog";
import { ACT_WORDS } from "./act-wording";
import { AmountField } from "./amount-field";
import type { MoneyDialogProps } from "./dialog-props";
import { DoLink } from "./do-link";
import { allOf, amountProblem, shortage } from "./units";
import { useMoneyMutation } from "./use-money-mutation";

type Source = "faucet" | "wallet";

/** How often to read the wallet's own balance while it is on screen: the person may be waiting for money to arrive. */
const WALLET_MS = 5_000;

/**
 * Moves money from the wallet to the account's deposited money. On the local stack, a faucet fills the wallet first.
 */
export function DepositDialog({
  onClose,
  assets,
  asset: first,
  local,
  fromWallet,
}: MoneyDialogProps & { fromWallet: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const vault = useVault();
  const [source, setSource] = useState<Source>(local && !fromWallet ? "faucet" : "wallet");
  const [amount, setAmount] = useState(local && !fromWallet ? "1000" : "");
  const [asset, setAsset] = useState(first);
  const [checked, setChecked] = useState(false);
  const act = useMoneyMutation("deposit", { act: "deposit", to: () => undefined });
  const { state } = act;
  const busy = state.at !== "form";
  const wallet = useDecrypted("walletBalance", undefined, {
    enabled: source === "wallet" && !busy,
    refetchInterval: WALLET_MS,
  });

  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const held = source === "wallet" ? wallet.data?.find((entry) => entry.asset === asset)?.amount : undefined;
  const problem =
    amountProblem(amount, decimals) ??
    shortage(amount, held, decimals, "Your wallet does not hold this much. Send it money first.");
  const submit = () => {
    setChecked(true);
    if (!problem) act.start({ amount, asset, faucet: source === "faucet" });
  };
  if (state.at === "done" || state.at === "found") {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Funds added"
        footer={
          <>
            <Button onClick={onClose}>Done</Button>
            <DoLink act="make-available" parameters={{ asset }} className={buttonClass("primary")}>
              Make it available
            </DoLink>
          </>
        }
      >
        <Callout tone="success" title={`${written(state.input.amount)} ${state.input.asset} deposited`}>
          Anyone can see your deposited balance. Make it available to pay privately.
        </Callout>
      </Dialog>
    );
  }
  return (
    <ActDialog
      title="Add funds"
      description="A deposit is public: it becomes your deposited balance. What you do with it afterwards is private."
      initialFocus={input}
      onClose={onClose}
      onSubmit={submit}
      submit={source === "faucet" ? "Get test money" : problem ? "Deposit" : `Deposit ${written(amount)} ${asset}`}
      act={act}
      words={ACT_WORDS.deposit}
      asset={asset}
      blocked={act.blockedTo(undefined)}
    >
      {local && <Sources source={source} onSource={setSource} disabled={busy} />}
      <AmountField
        inputRef={input}
        amount={amount}
        onAmount={setAmount}
        asset={asset}
        onAsset={setAsset}
        assets={assets}
        hint={
          source === "faucet" ? (
            "The faucet pays your wallet, then your wallet deposits it. Up to 10,000,000."
          ) : vault.status === "unlocked" ? (
            <>
              In your wallet: <Amount value={wallet.isError ? null : held} asset={asset} />
            </>
          ) : (
            "From your wallet's own balance."
          )
        }
        problem={problem}
        error={checked && !busy ? problem : undefined}
        shortcuts={asset === "ETH" ? [] : allOf(held, "Use all")}
        disabled={busy}
      />
      {source === "wallet" && (
        <p className="text-pretty text-muted text-sm">
          {asset === "ETH"
            ? "Your wallet sends a transaction and pays its gas; leave some ETH for it."
            : "Your wallet signs an authorization (EIP-3009); the service pays the gas."}
        </p>
      )}
    </ActDialog>
  );
}

/** Chooses where the money comes from. Only on the local stack. */
function Sources({
  source,
  onSource,
  disabled,
}: {
  source: Source;
  onSource: (source: Source) => void;
  disabled: boolean;
}) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className="grid grid-cols-2 gap-1 rounded-lg bg-sunken p-1 text-sm">
      <legend className="sr-only">Where from</legend>
      {(
        [
          ["faucet", "Test faucet"],
          ["wallet", "My wallet"],
        ] as const
      ).map(([value, label]) => (
        <label
          key={value}
          className={classNames(
            "flex h-8 cursor-pointer items-center justify-center rounded-md has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-11",
            source === value ? "bg-raised font-medium shadow-raised" : "text-muted",
          )}
        >
          <input
            type="radio"
            name={name}
            value={value}
            checked={source === value}
            onChange={() => onSource(value)}
            className="sr-only"
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
