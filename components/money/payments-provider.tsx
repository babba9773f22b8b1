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

/** How often to ask the chain about open acts, in milliseconds. */
const LOOK_MS = 3_000;

/** The server stores nothing. */
const NOWHERE = { getItem: () => null, setItem: () => {}, removeItem: () => {} };
const NONE: readonly Kept[] = [];

interface Payments {
  payments: KeptPayments;
  kept: readonly Kept[];
  /** Asks the chain now. Resolves even if it does not respond. */
  look(): Promise<void>;
}

const PaymentsContext = createContext<Payments | null>(null);

/** Keeps acts that have left this browser, and checks the chain until their outcome is known. */
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
        // If the chain does not respond, the next round asks again.
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

/** Returns the acts that this browser keeps because their outcome has not been shown yet. */
export function usePayments(): Payments {
  const payments = useContext(PaymentsContext);
  if (!payments) throw new Error("payments are of a network's pages");
  return payments;
}
