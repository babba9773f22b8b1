"use client";

import { type FormEvent, useId, useRef, useState } from "react";
import { Amount, grouped } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { classNames } from "@/components/ui/class-names";
import { Dialog } from "@/components/ui/dialog";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import { AmountField } from "./amount-field";
import type { DialogProps } from "./dialog-props";
import { DoLink } from "./do-link";
import { Failure } from "./failure";
import { amountProblem, unitsOf } from "./units";
import { useAct } from "./use-act";
import { Working } from "./working";

type Source = "faucet" | "wallet";

/** Money from the wallet to the account's public credit; on the local stack a faucet fills the wallet first. */
export function DepositDialog({
  onClose,
  assets,
  asset: first,
  local,
  fromWallet,
}: DialogProps & { fromWallet: boolean }) {
  const form = useId();
  const input = useRef<HTMLInputElement>(null);
  const vault = useVault();
  const [source, setSource] = useState<Source>(local && !fromWallet ? "faucet" : "wallet");
  const [amount, setAmount] = useState(local && !fromWallet ? "1000" : "");
  const [asset, setAsset] = useState(first);
  const [checked, setChecked] = useState(false);
  const wallet = useOpened("walletBalance", undefined, { enabled: source === "wallet" });
  const act = useAct("deposit");

  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const held = wallet.data?.find((entry) => entry.asset === asset)?.amount;
  const short = source === "wallet" && held !== undefined;
  const problem =
    amountProblem(amount, decimals) ??
    (short && unitsOf(amount, decimals) > unitsOf(held, decimals)
      ? "Your wallet does not hold this much. Send it money first."
      : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!problem) act.mutate({ amount, asset, faucet: source === "faucet" });
  };
  if (act.data) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Funds added"
        footer={
          <>
            <Button onClick={onClose}>Done</Button>
            <DoLink act="allocate" parameters={{ asset }} className={buttonClass("primary")}>
              Allocate to the budget
            </DoLink>
          </>
        }
      >
        <Callout tone="success" title={`${grouped(act.variables?.amount ?? "")} ${asset} of credit`}>
          Everybody can see credit. Allocate it to your budget to pay from it in private.
        </Callout>
      </Dialog>
    );
  }
  const busy = act.isPending;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add funds"
      description="A deposit is public: it becomes credit of your account. What you do with it afterwards is private."
      dismissible={!busy}
      initialFocus={input}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" form={form} busy={busy}>
            {source === "faucet" ? "Get test money" : "Deposit"}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-4">
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
              "The faucet pays your wallet, your wallet deposits it. Up to 10,000,000."
            ) : vault.status === "unlocked" ? (
              <>
                In your wallet: <Amount value={held} asset={asset} />
              </>
            ) : (
              "From your wallet's own balance."
            )
          }
          error={checked ? problem : undefined}
          shortcuts={short && held !== "0" && asset !== "ETH" ? [{ label: "Use all", amount: held }] : []}
          disabled={busy}
        />
        {source === "wallet" && (
          <p className="text-pretty text-muted text-sm">
            {asset === "ETH"
              ? "Your wallet sends a transaction and pays its gas; leave some ETH for it."
              : "Your wallet signs an authorization (EIP-3009); the service pays the gas."}
          </p>
        )}
        {busy && <Working>Your wallet signs; then the chain settles the deposit.</Working>}
        {act.error && <Failure error={act.error} asset={asset} title="Nothing was deposited." />}
      </form>
    </Dialog>
  );
}

/** Where the money comes from; on the local stack only. */
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
