"use client";

import { useState } from "react";
import { type Address, isAddressEqual, recoverTypedDataAddress, type TypedDataDefinition } from "viem";
import { type Connector, useConnection, useDisconnect, useSignTypedData, useSwitchConnection } from "wagmi";
import { shortened } from "@/components/ui/address";
import { Callout } from "@/components/ui/callout";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { purposeOf } from "@/components/wallet/purposes";
import { walletError } from "@/components/wallet/signer";
import { WalletPicker } from "@/components/wallet/wallet-picker";
import { HalcyonError } from "@/sdk/api/errors";
import { ChosenWallet, SigningFrame } from "./signing-frame";
import type { VaultClient, VaultSnapshot } from "./vault-client";

interface OtherWallet {
  connector: Connector;
  address: Address;
}

/**
 * Asks a wallet other than the account's to sign typed data. Connects it only for that; afterwards the account's own
 * wallet is active again.
 */
export function OtherWalletDialog({
  client,
  request,
  open,
  onClose,
}: {
  client: VaultClient;
  request: NonNullable<VaultSnapshot["request"]>;
  open: boolean;
  /** Declines to sign. */
  onClose: () => void;
}) {
  const { connector: active, address: current } = useConnection();
  // Never disconnected here, because the account's wallet may be another account of it.
  const [before] = useState(active?.uid);
  const [main, setMain] = useState<Connector>();
  const [other, setOther] = useState<OtherWallet>();
  const { busy: running, error, run, reset } = useAsyncAction();
  // A wallet asked for an earlier request may never respond.
  const [asked, setAsked] = useState<number>();
  const busy = running && asked === request.id;
  const { mutateAsync: signTypedData, reset: forget } = useSignTypedData({ mutation: { gcTime: 0 } });
  const { mutateAsync: disconnect } = useDisconnect();
  const { mutateAsync: switchTo } = useSwitchConnection();
  const own = client.owner.address;
  // It may connect only while this dialog is open.
  if (active && !main && !other && current && isAddressEqual(current, own)) setMain(active);
  const same = other !== undefined && isAddressEqual(other.address, own);

  const giveBack = async () => {
    setOther(undefined);
    if (!other || [before, main?.uid].includes(other.connector.uid)) return;
    await disconnect({ connector: other.connector }).catch(() => {});
    // If the wallet is gone by now, the page asks for it when it is needed.
    if (main) await switchTo({ connector: main }).catch(() => {});
  };
  const decline = async () => {
    reset();
    const back = giveBack();
    // A wallet that does not respond may not disconnect either.
    if (!busy) await back;
    onClose();
  };
  const sign = async () => {
    if (!other || request.signature.kind !== "typed-data") return;
    const { reason, data } = request.signature;
    const typed = data as TypedDataDefinition;
    const signature = await signTypedData({ ...typed, account: other.address, connector: other.connector });
    forget();
    if (!isAddressEqual(await recoverTypedDataAddress({ ...typed, signature }), other.address)) {
      throw new HalcyonError(
        "unauthorized",
        `The wallet signed with a different account than ${other.address}. Try again.`,
      );
    }
    // Stay connected: the same signature is requested once more.
    if (reason !== "encrypt-copy") await giveBack();
    client.signed(request.id, signature);
  };
  const confirm = () => {
    setAsked(request.id);
    return run(() =>
      sign().catch((thrown) => {
        throw walletError(thrown);
      }),
    );
  };
  return (
    <SigningFrame
      purpose={purposeOf(request.signature)}
      open={open}
      busy={busy}
      waitingFor="the wallet"
      disabled={!other || same}
      error={error}
      onSign={confirm}
      onDecline={decline}
    >
      {other ? (
        <ChosenWallet
          name={other.connector.name}
          address={other.address}
          disabled={busy}
          onAnother={() => setOther(undefined)}
        />
      ) : (
        <WalletPicker onConnected={(connector, address) => setOther({ connector, address })} />
      )}
      {same && (
        <Callout tone="danger">
          This is the account's own wallet. Choose another account in it, then press “Use another”, or connect another
          wallet.
        </Callout>
      )}
      <p className="text-pretty text-muted text-xs">
        Your account's wallet, <span className="font-mono">{shortened(own)}</span>, is used again afterwards. If both
        are accounts of one wallet, switch back in it.
      </p>
    </SigningFrame>
  );
}
