"use client";

import { Lock } from "lucide-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { notifyTabs } from "@/components/api/browser/tabs";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { isForAnotherWallet } from "@/components/wallet/purposes";
import { useSigner } from "@/components/wallet/signer";
import { ShownWallet, useAccountWallet } from "./account-wallet";
import { RecoveryCodeField } from "./recovery-code-field";
import type { VaultClient, VaultSnapshot } from "./vault-client";

/** What decrypts the account: its own wallet, or one of its backups. */
type Way = "own" | "code" | "other";

const SAYS: Record<Way, string> = {
  own: "One signature from your wallet decrypts your account's keys in this browser. It moves nothing and costs nothing.",
  code: "The code decrypts your account's keys in this browser, without your wallet. It is not sent anywhere.",
  other: "A wallet you made a backup for decrypts your account's keys in this browser. It gets no rights here.",
};
const WAYS: readonly { way: Way; name: string }[] = [
  { way: "own", name: "My wallet" },
  { way: "code", name: "A recovery code" },
  { way: "other", name: "A second wallet" },
];

/** Returns what the dialog is waiting for, in words. On a slow connection each step takes a while. */
function stepOf({ loading, request }: VaultSnapshot): string {
  if (loading) return "Loading the program that decrypts. This happens once per browser.";
  if (request) return "Open your wallet and sign.";
  return "Reading your account, and comparing its keys with the chain.";
}

/** Explains unlocking and asks for what decrypts the account. */
export function UnlockDialog({ client, now }: { client: VaultClient; now: VaultSnapshot }) {
  const wallet = useAccountWallet(client.owner.address);
  const sign = useSigner(client.owner.address);
  const { error, run, reset } = useAsyncAction();
  const [way, setWay] = useState<Way>("own");
  const [code, setCode] = useState("");
  const button = useRef<HTMLButtonElement>(null);
  const open = now.prompting;
  const busy = now.status === "unlocking";
  const own = way === "own";

  // The dialog has explained the signature already, so the wallet may ask at once.
  const respond = useEffectEvent(async ({ id, signature }: NonNullable<VaultSnapshot["request"]>) => {
    try {
      client.asks(id);
      client.signed(id, await sign(signature, () => client.isAsked(id)));
    } catch (thrown) {
      const { code, message } = thrown as { code: "invalid_request"; message: string };
      client.refused(id, { code, message });
    }
  });
  const request = open && now.request && !isForAnotherWallet(now.request.signature) ? now.request : null;
  useEffect(() => {
    if (request) void respond(request);
  }, [request]);

  useEffect(() => {
    // Load it now, so that it is there when the wallet has signed.
    if (open) import("@/components/wallet/require-signer").then(({ loadCurve }) => loadCurve()).catch(() => {});
  }, [open]);

  const turnTo = (next: Way) => {
    reset();
    wallet.choose(false);
    setCode("");
    setWay(next);
  };
  // It may have closed by itself: locked or unlocked in another tab. A code must not wait in it for the next person.
  if (!open && (code !== "" || !own)) turnTo("own");
  const unlock = () =>
    run(async () => {
      await client.open(own ? undefined : way === "code" ? { recoveryCode: code } : "wallet");
      turnTo("own");
    });
  const close = () => {
    turnTo("own");
    client.giveUp();
  };
  // After a reload payments can be read, and this is the only place on screen to lock them.
  const reads = now.status === "reading";
  const lock = () => {
    close();
    notifyTabs({ kind: "lock" }, { here: true });
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      initialFocus={button}
      width="small"
      title="Unlock amounts"
      description={SAYS[way]}
      footer={
        <>
          {reads && <Button onClick={lock}>Lock</Button>}
          <Button onClick={close}>Not now</Button>
          <Button
            ref={button}
            tone="primary"
            icon={<Lock size={15} aria-hidden="true" />}
            busy={busy || (own && wallet.isReconnecting)}
            disabled={own ? !wallet.canSign : way === "code" && code.trim() === ""}
            onClick={unlock}
          >
            {busy ? (own && now.request ? "Waiting for your wallet" : "Unlocking") : "Unlock"}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4 text-sm">
        {way === "code" && <RecoveryCodeField value={code} onChange={(event) => setCode(event.target.value)} />}
        {way === "other" && (
          <p className="text-pretty text-muted">
            You are asked to connect it and to sign once. Afterwards your account's wallet is used again.
          </p>
        )}
        {own && <ShownWallet wallet={wallet} disabled={busy} />}
        {error && <Callout tone="danger">{error}</Callout>}
        <p role="status" className={busy ? "text-pretty" : "sr-only"}>
          {busy && stepOf(now)}
        </p>
        <p className="text-pretty text-muted text-xs">
          Keys and amounts stay in this browser, for all its tabs. After a reload you can still read; to pay, your
          wallet signs again. Everything is dropped after 15 minutes without input, when you lock, and when you sign
          out.
        </p>
        <p className="-mx-2.5 flex flex-wrap items-center">
          <span className="px-2.5 text-muted text-xs">Another way:</span>
          {WAYS.filter((each) => each.way !== way).map((each) => (
            <Button key={each.way} size="small" tone="ghost" disabled={busy} onClick={() => turnTo(each.way)}>
              {each.name}
            </Button>
          ))}
        </p>
      </div>
    </Dialog>
  );
}
