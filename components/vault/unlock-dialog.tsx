"use client";

import { Lock } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isAddressEqual } from "viem";
import { useConnection } from "wagmi";
import { messageOf } from "@/components/api/message-of";
import { shortened } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useSigner, wrongWallet } from "@/components/wallet/signer";
import { WalletPicker } from "@/components/wallet/wallet-picker";
import { useWalletReady } from "@/components/wallet/wallet-provider";
import type { VaultClient, VaultSnapshot } from "./client";

/** Asks for the one signature that opens the account, after saying what it does. */
export function UnlockDialog({ client, now }: { client: VaultClient; now: VaultSnapshot }) {
  const { address, status, connector } = useConnection();
  const sign = useSigner(client.owner.address);
  const [error, setError] = useState<string>();
  const [choosing, setChoosing] = useState(false);
  const [code, setCode] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const open = now.prompting;
  const busy = now.status === "unlocking";
  const wrong = address !== undefined && !isAddressEqual(address, client.owner.address);
  const ready = useWalletReady();
  const byCode = code !== undefined;
  const pick = choosing || (ready && status === "disconnected");

  // The dialog has said what the signature is for: the wallet may ask at once.
  const answer = useEffectEvent(async ({ id, signature }: NonNullable<VaultSnapshot["request"]>) => {
    try {
      client.signed(id, await sign(signature));
    } catch (thrown) {
      const { code, message } = thrown as { code: "invalid_request"; message: string };
      client.refused(id, { code, message });
    }
  });
  const request = open ? now.request : null;
  useEffect(() => {
    if (request) void answer(request);
  }, [request]);

  const unlock = async () => {
    setError(undefined);
    try {
      await client.open(code);
      setCode(undefined);
    } catch (thrown) {
      // Closing the dialog meanwhile is no failure.
      if (!(thrown instanceof Error && thrown.name === "VaultLocked")) setError(messageOf(thrown));
    }
  };
  const close = () => {
    setError(undefined);
    setChoosing(false);
    setCode(undefined);
    client.giveUp();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      initialFocus={button}
      width="small"
      title="Unlock amounts"
      description={
        byCode
          ? "The code opens your account's keys in this tab, without your wallet. It is not sent anywhere."
          : "One signature of your wallet opens your account's keys in this tab. It moves nothing and costs nothing."
      }
      footer={
        <>
          <Button onClick={close}>Not now</Button>
          <Button
            ref={button}
            tone="primary"
            icon={<Lock size={15} aria-hidden="true" />}
            busy={busy || (!byCode && !ready)}
            disabled={byCode ? code.trim() === "" : pick || wrong}
            onClick={unlock}
          >
            {busy ? (byCode ? "Opening" : "Waiting for your wallet") : "Unlock"}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-sm">
        {byCode ? (
          <Field label="Recovery code" hint="Seven groups of four. Case and hyphens do not matter.">
            {(control) => (
              <Input
                {...control}
                value={code}
                onChange={(event) => setCode(event.target.value)}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                autoFocus
                className="font-mono uppercase"
              />
            )}
          </Field>
        ) : pick ? (
          <WalletPicker onConnected={() => setChoosing(false)} />
        ) : (
          <p className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-sunken px-3.5 py-2.5">
            <span className="min-w-0">
              <span className="block text-muted text-xs">{connector?.name ?? "Wallet"}</span>
              <span className="font-mono text-[13px]">{address ? shortened(address) : "…"}</span>
            </span>
            <Button size="small" tone="ghost" disabled={busy} onClick={() => setChoosing(true)}>
              Use another
            </Button>
          </p>
        )}
        {wrong && !byCode && <Callout tone="danger">{wrongWallet(client.owner.address, address).message}</Callout>}
        {error && <Callout tone="danger">{error}</Callout>}
        <p className="text-pretty text-muted text-xs">
          Keys and amounts stay in this browser. They are dropped after 15 minutes without input, when you lock, and
          when you sign out.
        </p>
        <Button
          size="small"
          tone="ghost"
          className="-ml-2.5 justify-self-start"
          disabled={busy}
          onClick={() => {
            setError(undefined);
            setCode(byCode ? undefined : "");
          }}
        >
          {byCode ? "Use my wallet instead" : "Use a recovery code instead"}
        </Button>
      </div>
    </Dialog>
  );
}
