"use client";

import { ChevronRight, FlaskConical, QrCode, Wallet } from "lucide-react";
import Image from "next/image";
import { useEffect, useRef, useState } from "react";
import type { Address } from "viem";
import { type Connector, useConnect, useConnectors } from "wagmi";
import { Badge } from "@/components/ui/badge";
import { Button, Spinner } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { orCancelled } from "@/components/ui/or-cancelled";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { BURNER } from "./burner";
import { WalletPairing } from "./pairing";
import { walletError } from "./signer";

/**
 * Returns the wallets to offer: the announced ones, the plain injected one only if none announced itself, and the test
 * wallet last.
 */
function offered(connectors: readonly Connector[]): Connector[] {
  const announced = connectors.some(({ type, id }) => type === "injected" && id !== "injected");
  const present = "ethereum" in globalThis && !announced;
  const usable = connectors.filter(({ id }) => id !== "injected" || present);
  return usable.sort((a, b) => Number(a.id === BURNER) - Number(b.id === BURNER));
}

function Mark({ connector }: { connector: Connector }) {
  if (connector.icon?.startsWith("data:image/")) {
    // Announced wallets bring their icon as a data URI (EIP-6963).
    return <Image unoptimized src={connector.icon.trim()} alt="" width={24} height={24} className="rounded-md" />;
  }
  const Icon = connector.id === BURNER ? FlaskConical : connector.id === "walletConnect" ? QrCode : Wallet;
  return <Icon size={20} aria-hidden="true" className="mx-0.5 text-muted" />;
}

/** Returns the address that a wallet uses, once the person has given this page access. */
async function addressOf(connector: Connector, connect: () => Promise<{ accounts: readonly Address[] }>) {
  try {
    return (await connect()).accounts[0];
  } catch (thrown) {
    // A wallet that is already connected is fine too.
    const connected = thrown instanceof Error && thrown.name === "ConnectorAlreadyConnectedError";
    const [address] = connected ? await connector.getAccounts() : [];
    if (!address) throw walletError(thrown);
    return address;
  }
}

/**
 * Lists the wallets that can be connected here.
 *
 * @param onConnected called with the wallet's active address, and with a signal that is aborted if the person cancels
 * @param busy whether the wallet is asked to sign
 * @param cancellable whether that can still be cancelled
 */
export function WalletPicker({
  onConnected,
  busy = false,
  cancellable = true,
}: {
  onConnected?: (connector: Connector, address: Address, signal: AbortSignal) => void;
  busy?: boolean;
  cancellable?: boolean;
}) {
  const wallets = offered(useConnectors());
  const { mutateAsync: connect } = useConnect();
  const [chosen, setChosen] = useState<Connector>();
  const [cancelling, setCancelling] = useState(false);
  const connecting = useAsyncAction();
  const controller = useRef<AbortController>(null);
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);

  const choose = (connector: Connector) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setChosen(connector);
    setCancelling(false);
    void connecting.run(async () => {
      const connected = addressOf(connector, () => connect({ connector }));
      const address = await orCancelled(connected, signal);
      // What it was chosen for may be over.
      if (address && mounted.current) onConnected?.(connector, address, signal);
    });
  };
  const cancel = () => {
    // It takes a moment where a session has to be ended again.
    setCancelling(true);
    controller.current?.abort();
  };
  const waiting = busy || connecting.busy;
  return (
    <div className="grid gap-3">
      <ul className="grid gap-2">
        {wallets.map((connector) => (
          <li key={connector.uid}>
            <button
              type="button"
              disabled={waiting}
              onClick={() => choose(connector)}
              className="flex min-h-13 w-full items-center gap-3 rounded-lg border border-line-strong bg-raised px-3.5 py-2.5 text-left font-medium text-sm shadow-raised transition-colors hover:bg-sunken disabled:opacity-60"
            >
              <Mark connector={connector} />
              <span className="min-w-0 flex-1">
                <span className="block">{connector.name}</span>
                {waiting && chosen?.uid === connector.uid ? (
                  <span role="status" className="block font-normal text-muted text-xs">
                    Open {connector.name} and {busy ? "sign" : "allow this page"}
                  </span>
                ) : (
                  connector.id === BURNER && (
                    <span className="block font-normal text-muted text-xs">For this machine only</span>
                  )
                )}
              </span>
              {connector.id === BURNER && <Badge tone="warning">Test</Badge>}
              {waiting && chosen?.uid === connector.uid ? (
                <Spinner />
              ) : (
                <ChevronRight size={16} aria-hidden="true" className="text-faint" />
              )}
            </button>
          </li>
        ))}
      </ul>
      {wallets.length === 0 && (
        <Callout tone="warning" title="No wallet found in this browser">
          Install a browser wallet such as MetaMask or Rabby, then reload this page.
        </Callout>
      )}
      {chosen?.id === "walletConnect" && waiting && <WalletPairing connector={chosen} />}
      {waiting && chosen && cancellable && (
        <Button size="small" className="justify-self-start" busy={cancelling} onClick={cancel}>
          Cancel
        </Button>
      )}
      {connecting.error && <Callout tone="danger">{connecting.error}</Callout>}
    </div>
  );
}
