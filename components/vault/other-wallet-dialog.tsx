"use client";

import { useState } from "react";
import { type Address, isAddressEqual, recoverTypedDataAddress, type TypedDataDefinition } from "viem";
import { type Connector, useConnection, useDisconnect, useSignTypedData, useSwitchConnection } from "wagmi";
import { messageOf } from "@/components/api/message-of";
import { shortened } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { purposeOf } from "@/components/wallet/purposes";
import { walletError } from "@/components/wallet/signer";
import { WalletPicker } from "@/components/wallet/wallet-picker";
import { HalcyonError } from "@/sdk/errors";
import type { VaultClient, VaultSnapshot } from "./client";

interface OtherWallet {
  connector: Connector;
  address: Address;
}

/**
 * Asks another wallet than the account's for a signature over typed data. It is connected for that alone: afterwards the
 * account's own is the active one again.
 */
export function OtherWalletDialog({
  client,
  request,
  open,
}: {
  client: VaultClient;
  request: NonNullable<VaultSnapshot["request"]>;
  open: boolean;
}) {
  const { connector: active } = useConnection();
  const [main] = useState(active);
  const [other, setOther] = useState<OtherWallet>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { mutateAsync: signTypedData, reset: forget } = useSignTypedData({ mutation: { gcTime: 0 } });
  const { mutateAsync: disconnect } = useDisconnect();
  const { mutateAsync: switchTo } = useSwitchConnection();
  const { title, sentence } = purposeOf(request.signature);
  const own = client.owner.address;
  const same = other !== undefined && isAddressEqual(other.address, own);

  const giveBack = async () => {
    setOther(undefined);
    if (!main || !other || other.connector.uid === main.uid) return;
    await disconnect({ connector: other.connector }).catch(() => {});
    // A wallet that has gone meanwhile is asked for again when it is needed.
    await switchTo({ connector: main }).catch(() => {});
  };
  const decline = async () => {
    setError(undefined);
    await giveBack();
    client.refused(request.id, { code: "invalid_request", message: "You did not sign. Nothing has happened." });
  };
  const sign = async () => {
    if (!other || request.signature.kind !== "typed-data") return;
    setBusy(true);
    setError(undefined);
    try {
      const { reason, data } = request.signature;
      const typed = data as TypedDataDefinition;
      const signature = await signTypedData({ ...typed, account: other.address, connector: other.connector });
      forget();
      if (!isAddressEqual(await recoverTypedDataAddress({ ...typed, signature }), other.address)) {
        throw new HalcyonError(
          "unauthorized",
          `The wallet signed with another account than ${other.address}. Try again.`,
        );
      }
      // The same signature is asked for once more.
      if (reason !== "seal-copy") await giveBack();
      client.signed(request.id, signature);
    } catch (thrown) {
      setError(messageOf(walletError(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={decline}
      dismissible={!busy}
      width="small"
      title={title}
      description={sentence}
      footer={
        <>
          <Button onClick={decline} disabled={busy}>
            Do not sign
          </Button>
          <Button tone="primary" busy={busy} disabled={!other || same} onClick={sign}>
            {busy ? "Waiting for the wallet" : "Sign"}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-sm">
        {other ? (
          <p className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-sunken px-3.5 py-2.5">
            <span className="min-w-0">
              <span className="block text-muted text-xs">{other.connector.name}</span>
              <span className="font-mono text-[13px]">{shortened(other.address)}</span>
            </span>
            <Button size="small" tone="ghost" disabled={busy} onClick={() => setOther(undefined)}>
              Use another
            </Button>
          </p>
        ) : (
          <WalletPicker onConnected={(connector, address) => setOther({ connector, address })} />
        )}
        {same && (
          <Callout tone="danger">
            This is the account's own wallet. Choose another account in it, then press “Use another”, or connect another
            wallet.
          </Callout>
        )}
        {error && <Callout tone="danger">{error}</Callout>}
        <p className="text-pretty text-muted text-xs">
          Your account's wallet, <span className="font-mono">{shortened(own)}</span>, is used again afterwards. If both
          are accounts of one wallet, switch back in it.
        </p>
      </div>
    </Dialog>
  );
}
