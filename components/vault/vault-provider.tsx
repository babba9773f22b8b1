"use client";

/*
 * The vault, for pages.
 *
 * All secrets live in one dedicated worker (worker.ts) that runs the SDK; pages call its methods and get plain data.
 *   const vault = useVault();
 *   await vault.run("send", { to, amount }, { onProgress, signal });   // unlocks first; rejects VaultLocked when not
 *   const { data } = useOpened("funds", {});                            // only while unlocked, never asks
 * A new method is one file in methods/, `(context, input, tools) => output`, and one line in methods/table.ts. It
 * mostly calls one verb of sdk/. Input and output are plain data, amounts decimal strings; no key is ever part of
 * either. When a method needs the wallet's signature the page asks for it by itself; its sentence is in
 * wallet/purposes.ts. While locked, draw amounts with `<Amount sealed>`: `useOpened` has no data then. What is
 * decrypted is dropped at lock; copy none of it into state of your own that outlives the lock. After an act, invalidate
 * `openedKey(network, method)`.
 */
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import type { Address } from "viem";
import { useNetwork } from "@/components/api/network-context";
import { signInAgain } from "@/components/api/sign-in-again";
import type { Network } from "@/lib/network";
import type { NetworkResource } from "@/lib/networks/describe-network";
import { type IdleLock, startIdleLock } from "./idle-lock";
import type { InputOf, MethodName, OutputOf } from "./protocol";
import { hearTabs, notifyTabs } from "./tabs";
import { VaultClient, type VaultPort, type VaultSnapshot } from "./vault-client";

/** Wallets and dialogs: loaded when they are first needed. */
const WalletDialogs = dynamic(() => import("./wallet-dialogs"), { ssr: false });

export interface VaultHandle extends Pick<VaultClient, "run" | "unlock"> {
  status: VaultSnapshot["status"];
  /** Locks in all tabs of this browser. */
  lock(): void;
  /** When it locks by itself unless something is done: milliseconds of `Date.now`; null while it is not unlocked. */
  locksAt(): number | null;
}

interface VaultContextValue {
  client: VaultClient;
  handle: VaultHandle;
}

const VaultContext = createContext<VaultContextValue | null>(null);

/** Names a decrypted result in the page's cache. */
export function openedKey(network: Network, method: MethodName, input?: unknown): unknown[] {
  return input === undefined ? [network, `vault:${method}`] : [network, `vault:${method}`, input];
}

/**
 * Gives the pages below it one vault: of the signed-in wallet, on one network. Another network or wallet is another
 * vault; the one before is locked.
 *
 * @param worker path of the vault's script
 */
export function VaultProvider({
  network,
  address,
  worker,
  children,
}: {
  network: NetworkResource;
  address: string;
  worker: string;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const name = network.network;
  const client = useMemo(() => {
    const start = (): VaultPort => new Worker(worker, { name: "vault" });
    return new VaultClient({ network: name, address: address as Address }, start, signInAgain);
  }, [name, address, worker]);
  const now = useSyncExternalStore(client.subscribe, client.snapshot, client.snapshot);
  const [idle, setIdle] = useState<IdleLock | null>(null);
  // Dropped together with the keys: nothing that was decrypted outlives them.
  const forget = useEffectEvent(() => {
    queries.removeQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith("vault:") });
  });

  useEffect(
    () =>
      client.subscribe(() => {
        if (client.snapshot().status === "locked") forget();
      }),
    [client],
  );
  useEffect(() => {
    const leave = hearTabs((message) => {
      client.lock();
      if (message === "signed-out") location.assign("/sign-in");
    });
    return () => {
      leave();
      client.lock();
    };
  }, [client]);
  const unlocked = now.status === "unlocked";
  useEffect(() => {
    if (!unlocked) return;
    const lock = startIdleLock(() => client.lock());
    setIdle(lock);
    return () => {
      lock.stop();
      setIdle(null);
    };
  }, [client, unlocked]);

  const value = useMemo<VaultContextValue>(
    () => ({
      client,
      handle: {
        status: now.status,
        run: client.run.bind(client),
        unlock: client.unlock.bind(client),
        lock: () => {
          client.lock();
          notifyTabs("lock");
        },
        locksAt: () => idle?.locksAt() ?? null,
      },
    }),
    [client, now.status, idle],
  );
  const asking = now.prompting || now.request !== null;
  const [asked, setAsked] = useState(false);
  if (asking && !asked) setAsked(true);
  return (
    <VaultContext value={value}>
      {children}
      {asked && <WalletDialogs key={name} client={client} network={network} />}
    </VaultContext>
  );
}

function useVaultContext(): VaultContextValue {
  const value = useContext(VaultContext);
  if (!value) throw new Error("the vault is for pages of a network");
  return value;
}

/** The vault of this page's wallet and network. */
export function useVault(): VaultHandle {
  return useVaultContext().handle;
}

/** What {@link useOpened} gives: a query, and how far it is while it runs. */
export type Opened<T> = UseQueryResult<T> & { progress?: { done: number; total: number } };

/**
 * What a method decrypts, while the vault is unlocked. It never asks to unlock: locked, there is no data.
 *
 * @param input plain data; part of the name in the cache
 */
export function useOpened<M extends MethodName>(
  method: M,
  input: InputOf<M>,
  options: { enabled?: boolean; refetchInterval?: number | false } = {},
): Opened<OutputOf<M>> {
  const { client, handle } = useVaultContext();
  const network = useNetwork();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const unlocked = handle.status === "unlocked";
  const query = useQuery<OutputOf<M>>({
    queryKey: openedKey(network, method, input ?? {}),
    queryFn: ({ signal }): Promise<OutputOf<M>> => {
      const onProgress = (done: number, total: number) => setProgress({ done, total });
      return client.perform(method, input, { signal, onProgress });
    },
    enabled: unlocked && options.enabled !== false,
    refetchInterval: options.refetchInterval,
    // What failed is said; asking again is the person's choice.
    retry: false,
  });
  return Object.assign({}, query, { progress: query.isFetching ? progress : undefined });
}
