"use client";

import { type ReactNode, type Ref, useRef } from "react";
import { shortened } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import type { Purpose } from "@/components/wallet/purposes";

/** The wallet that will sign, and a button to choose another. */
export function ChosenWallet({
  name,
  address,
  disabled,
  onAnother,
}: {
  name?: string;
  address?: string;
  disabled: boolean;
  onAnother: () => void;
}) {
  return (
    <p className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-sunken px-3.5 py-2.5">
      <span className="min-w-0">
        <span className="block text-muted text-xs">{name ?? "Wallet"}</span>
        <span className="font-mono text-[13px]">{address ? shortened(address) : "…"}</span>
      </span>
      <Button size="small" tone="ghost" disabled={disabled} onClick={onAnother}>
        Use another
      </Button>
    </p>
  );
}

interface Buttons {
  /** The label of the button that ends it without the wallet. */
  decline: string;
  busy: boolean;
  /** Such as "your wallet". */
  waitingFor: string;
  /** Whether signing is not possible yet. */
  disabled: boolean;
  button?: Ref<HTMLButtonElement>;
  onSign: () => void;
  onDecline: () => void;
}

/** The buttons of a signature. It can be given up while the wallet is asked, because a wallet may never respond. */
export function SigningButtons({ decline, busy, waitingFor, disabled, button, onSign, onDecline }: Buttons) {
  return (
    <>
      <Button onClick={onDecline}>{decline}</Button>
      <Button ref={button} tone="primary" busy={busy} disabled={disabled} onClick={onSign}>
        {busy ? `Waiting for ${waitingFor}` : "Sign"}
      </Button>
    </>
  );
}

/**
 * The dialog that explains a signature and lets the person sign or decline. While the wallet is asked, only the button
 * gives it up: a stray click or key does not.
 */
export function SigningFrame({
  purpose: { title, sentence },
  open,
  busy,
  waitingFor,
  disabled,
  error,
  decline = "Do not sign",
  onSign,
  onDecline,
  children,
}: Partial<Pick<Buttons, "decline">> &
  Omit<Buttons, "decline" | "button"> & {
    purpose: Purpose;
    open: boolean;
    error: string | undefined;
    children: ReactNode;
  }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onDecline}
      dismissible={!busy}
      initialFocus={button}
      width="small"
      title={title}
      description={sentence}
      footer={<SigningButtons {...{ decline, busy, waitingFor, disabled, button, onSign, onDecline }} />}
    >
      <div className="grid grid-cols-1 gap-4 text-sm">
        {children}
        {error && <Callout tone="danger">{error}</Callout>}
      </div>
    </Dialog>
  );
}
