"use client";

/*
 * The vault, for pages.
 *
 * All secrets live in one worker for all tabs (worker.ts) that runs the SDK; pages call its methods and get plain data.
 *   const vault = useVault();
 *   await vault.run("send", { to, amount }, { onProgress, signal });   // unlocks first; rejects VaultLocked when not
 *   const { data } = useDecrypted("funds", {});                            // only while unlocked, never asks
 * A new method is one file in methods/, `(context, input, tools) => output`, and one line in methods/methods.ts. It
 * mostly calls one verb of sdk/. Input and output are plain data, amounts decimal strings; no key is ever part of
 * either. When a method needs the wallet's signature the page asks for it by itself; its sentence is in
 * wallet/purposes.ts. While locked, draw amounts with `<Amount encrypted>`: `useDecrypted` has no data then. What is
 * decrypted is dropped at lock; copy none of it into state of your own that outlives the lock. After an act, invalidate
 * `decryptedKey(network, method)`.
 */
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
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
import { deleteAccountNotes } from "@/components/api/browser/account-notes";
import { note, noted } from "@/components/api/browser/notes";
import { deleteRecords } from "@/components/api/browser/reload-store";
import { hearTabs, notifyTabs } from "@/components/api/browser/tabs";
import { useNetwork } from "@/components/api/network-context";
import { hasSessionExpired, onSession, sessionIsBack, signInAfter } from "@/components/api/sign-in-again";
import { useEarlyPresses } from "@/components/ui/early-presses";
import { useToast } from "@/components/ui/toast";
import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import type { Network } from "@/lib/base/network";
import { type IdleLock, startIdleLock } from "./idle-lock";
import type { InputOf, MethodName, OutputOf, VaultOwner } from "./protocol";
import { allows } from "./unlock-levels";
import { VaultClient, type VaultSnapshot } from "./vault-client";
import { openVaultPort, scriptLoads, untilEnded } from "./vault-port";

type WalletDialogs = typeof import("./wallet-dialogs").default;

/** Loads wallets and dialogs, including what every dialog needs, on first use. */
async function loadDialogs(): Promise<WalletDialogs> {
  const [dialogs] = await Promise.all([import("./wallet-dialogs"), import("@/components/ui/dialog-body")]);
  return dialogs.default;
}

interface VaultHandle extends Pick<VaultClient, "run" | "unlock"> {
  status: VaultSnapshot["status"];
  /** Whether amounts and memos of payments can be read: unlocked, or after a reload. */
  reads: boolean;
  /** The balances that were decrypted last, unless locked: shown until the page has newer ones. */
  shown: VaultSnapshot["shown"];
  /** Locks in all tabs of this browser. */
  lock(): void;
  /** Returns when it will lock without input, in milliseconds since 1970; null while it is not unlocked. */
  locksAt(): number | null;
}

interface VaultContextValue {
  client: VaultClient;
  handle: VaultHandle;
}

const VaultContext = createContext<VaultContextValue | null>(null);

/**
 * Returns the local-storage name of the hint that an account is unlocked somewhere in this browser. Only a hint, so
 * that other pages load nothing.
 */
function hintOf(network: Network, address: string): string {
  return `halcyon.open.${network}.${address.toLowerCase()}`;
}

/** Session-storage name for the account that was unlocked in this tab when the page went away. */
const WAS_OPEN = "halcyon.was-open";

/** Returns the cache key of a decrypted result. */
export function decryptedKey(network: Network, method: MethodName, input?: unknown): unknown[] {
  return input === undefined ? [network, `vault:${method}`] : [network, `vault:${method}`, input];
}

/**
 * Provides the pages below with a vault, for the signed-in wallet on one network. Each network and wallet has its own
 * vault; its tabs share it.
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
  const toast = useToast();
  const name = network.network;
  const client = useMemo(() => {
    const owner = { network: name, address: address as Address };
    const workers = {
      open: (whose: VaultOwner) => openVaultPort(worker, whose),
      loads: () => scriptLoads(worker),
      ended: untilEnded,
    };
    return new VaultClient(owner, workers, signInAfter);
  }, [name, address, worker]);
  useEarlyPresses();
  const now = useSyncExternalStore(client.subscribe, client.snapshot, client.snapshot);
  const [idle, setIdle] = useState<IdleLock | null>(null);
  // Runs when the keys are dropped, so that nothing decrypted outlives them.
  const forget = useEffectEvent(() => {
    queries.removeQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith("vault:") });
  });
  const sayLoadedAgain = useEffectEvent(() => {
    const unlocked = new Promise<void>((resolve) => {
      const stop = client.subscribe(() => {
        if (client.snapshot().status !== "unlocked") return;
        stop();
        resolve();
      });
    });
    toast.notice("The page was loaded again", "Your wallet signs before you pay or see new balances.", unlocked);
  });
  /** Locks every tab of this browser, and deletes what could be read after a reload. */
  const lockAll = useEffectEvent(() => {
    client.lock();
    note("localStorage", hintOf(name, address), null);
    void deleteRecords();
  });

  useEffect(() => client.setNetwork(network), [client, network]);
  useEffect(
    () =>
      client.subscribe(() => {
        if (client.snapshot().status === "locked") forget();
      }),
    [client],
  );
  useEffect(() => {
    const leave = hearTabs((message) => {
      if (message.kind === "signed-in" && message.address.toLowerCase() === address.toLowerCase()) {
        sessionIsBack();
        return;
      }
      lockAll();
      if (message.kind === "signed-out") location.assign("/sign-in");
      // Another account is signed in, and must not see what is on screen.
      if (message.kind === "signed-in") location.reload();
    });
    const stop = onSession((over) => {
      if (!over) client.sessionIsBack();
      // A session that timed out loses nothing: a signature continues it. Any other was ended by someone.
      else if (!hasSessionExpired()) {
        lockAll();
        deleteAccountNotes(address);
      }
    });
    const hint = hintOf(name, address);
    // If the router can't navigate (no response, a new release), the browser loads the page and its memory is lost. Say
    // so, unless the person reloaded the page themselves.
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const lost = noted("sessionStorage", WAS_OPEN) === hint && entry?.type !== "reload";
    note("sessionStorage", WAS_OPEN, null);
    const resume = () => {
      if (noted("localStorage", hint) === null) return;
      void client.resume().then((isKnown) => {
        const { status } = client.snapshot();
        if (isKnown && status === "locked") note("localStorage", hint, null);
        if (lost && status !== "unlocked") sayLoadedAgain();
      });
    };
    const away = () => {
      if (client.snapshot().status === "unlocked") note("sessionStorage", WAS_OPEN, hint);
      client.leave();
    };
    const back = ({ persisted }: PageTransitionEvent) => persisted && resume();
    resume();
    addEventListener("pagehide", away);
    addEventListener("pageshow", back);
    return () => {
      removeEventListener("pagehide", away);
      removeEventListener("pageshow", back);
      leave();
      stop();
      client.leave();
    };
  }, [client, name, address]);
  const { reads, shown } = now;
  const shows = shown !== null;
  useEffect(() => {
    if (!reads && !shows) return;
    note("localStorage", hintOf(name, address), "open");
    const lock = startIdleLock({ lock: lockAll, others: () => client.lastInput, touched: () => client.touch() });
    setIdle(lock);
    return () => {
      lock.stop();
      setIdle(null);
    };
  }, [client, reads, shows, name, address]);

  const value = useMemo<VaultContextValue>(
    () => ({
      client,
      handle: {
        status: now.status,
        reads,
        shown,
        run: client.run.bind(client),
        unlock: client.unlock.bind(client),
        lock: () => notifyTabs({ kind: "lock" }, { here: true }),
        locksAt: () => idle?.locksAt() ?? null,
      },
    }),
    [client, now.status, reads, shown, idle],
  );
  const asking = now.prompting || now.request !== null;
  const [Dialogs, setDialogs] = useState<WalletDialogs>();
  const sayNotLoaded = useEffectEvent(() => {
    client.notShown();
    toast.notice("The dialog could not be loaded", "Check your connection and try again.");
  });
  useEffect(() => {
    if (!asking || Dialogs) return;
    let wanted = true;
    loadDialogs().then(
      (loaded) => wanted && setDialogs(() => loaded),
      () => wanted && sayNotLoaded(),
    );
    return () => {
      wanted = false;
    };
  }, [asking, Dialogs]);
  return (
    <VaultContext value={value}>
      {children}
      {Dialogs && <Dialogs key={name} client={client} network={network} />}
    </VaultContext>
  );
}

function useVaultContext(): VaultContextValue {
  const value = useContext(VaultContext);
  if (!value) throw new Error("the vault is for pages of a network");
  return value;
}

/** Returns the vault of this page's wallet and network. */
export function useVault(): VaultHandle {
  return useVaultContext().handle;
}

/** Returns whose vault it is: the signed-in wallet, on the page's network. */
export function useVaultOwner(): VaultOwner {
  return useVaultContext().client.owner;
}

/** What {@link useDecrypted} returns: a query, and its progress while it runs. */
export type DecryptedQuery<T> = UseQueryResult<T> & { progress?: { done: number; total: number } };

/**
 * Returns what a method decrypts, while the vault is unlocked. Never asks to unlock: while locked, there is no data.
 *
 * @param input plain data; part of the cache key
 */
export function useDecrypted<M extends MethodName>(
  method: M,
  input: InputOf<M>,
  options: { enabled?: boolean; refetchInterval?: number | false } = {},
): DecryptedQuery<OutputOf<M>> {
  const { client, handle } = useVaultContext();
  const network = useNetwork();
  const [progress, setProgress] = useState<{ done: number; total: number }>();
  const query = useQuery<OutputOf<M>>({
    queryKey: decryptedKey(network, method, input ?? {}),
    queryFn: ({ signal }): Promise<OutputOf<M>> => {
      const onProgress = (done: number, total: number) => setProgress({ done, total });
      return client.perform(method, input, { signal, onProgress });
    },
    enabled:
      handle.reads &&
      allows(handle.status === "unlocked" ? "unlocked" : "reading", method) &&
      options.enabled !== false,
    refetchInterval: options.refetchInterval,
    // Show the error and let the person decide whether to retry.
    retry: false,
  });
  return Object.assign({}, query, { progress: query.isFetching ? progress : undefined });
}
