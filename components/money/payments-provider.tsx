"use client";

import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from "react";
import { useNetwork } from "@/components/api/network-context";
import { type Kept, KeptPayments, learn } from "./kept-payments";

/** How often the chain is asked about what is open. */
const LOOK_MS = 3_000;

/** Where the server renders, nothing is kept. */
const NOWHERE = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
const NONE: readonly Kept[] = [];

interface Payments {
  payments: KeptPayments;
  kept: readonly Kept[];
  /** Asks the chain now; resolves with or without its response. */
  look(): Promise<void>;
}

const PaymentsContext = createContext<Payments | null>(null);

/** Keeps what has left this browser and looks on the chain by itself, until the outcome is known. */
export function PaymentsProvider({ address, children }: { address: string; children: ReactNode }) {
  const network = useNetwork();
  const payments = useMemo(() => {
    const storage = typeof localStorage === "undefined" ? NOWHERE : localStorage;
    return new KeptPayments(storage, { network, address });
  }, [network, address]);
  const kept = useSyncExternalStore(payments.subscribe, payments.list, () => NONE);
  const looking = useRef<Promise<void>>(null);

  const look = useCallback(() => {
    const lookAll = async () => {
      const { checkPending } = await import("@/components/vault/check-pending");
      for (const each of payments.list().filter(({ outcome }) => !outcome)) {
        // A chain that does not respond says nothing: it is asked again.
        const found = await checkPending(network, each.pending).catch(() => null);
        if (found) learn(payments, each, found);
      }
    };
    looking.current ??= lookAll()
      .catch(() => {})
      .finally(() => {
        looking.current = null;
      });
    return looking.current;
  }, [network, payments]);

  useEffect(() => {
    const hear = () => payments.changed();
    addEventListener("storage", hear);
    return () => removeEventListener("storage", hear);
  }, [payments]);
  const open = kept.some(({ outcome }) => !outcome);
  useEffect(() => {
    if (!open) return;
    const timer = setInterval(look, LOOK_MS);
    addEventListener("online", look);
    return () => {
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }, [open, look]);
  const value = useMemo(() => ({ payments, kept, look }), [payments, kept, look]);
  return <PaymentsContext value={value}>{children}</PaymentsContext>;
}

/** What this browser keeps of payments whose outcome was not shown yet. */
export function usePayments(): Payments {
  const payments = useContext(PaymentsContext);
  if (!payments) throw new Error("payments are of a network's pages");
  return payments;
}
