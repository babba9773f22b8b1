import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { getEnrollment } from "@/lib/accounts/get-enrollment";
import { authenticateWallet } from "@/lib/auth/authenticate-session";
import { clientAddressOf } from "@/lib/client-address";
import type { SessionContext } from "@/lib/context/context";
import type { WalletContext } from "@/lib/context/wallet-context";
import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { CHAIN_ID, type Network } from "@/lib/network";
import { requestedPageOf } from "@/lib/requested-page";
import { writeCursor } from "@/lib/stream/cursor";
import { currentCursor } from "@/lib/stream/read-changes";
import { nextPath } from "./sign-in/next-path";

/** The network a path names; anything else is a page that does not exist. */
export function networkOfPath(name: string): Network {
  if (name === "test" || name === "live") return name;
  notFound();
}

/** The signed-in wallet of this request; null when no one is. One lookup per request. */
export const wallet = cache(async (network: Network): Promise<WalletContext | null> => {
  const origin = {
    network,
    chainId: CHAIN_ID[network],
    requestId: newId("request"),
    clientAddress: clientAddressOf(await headers()),
  };
  try {
    return await authenticateWallet((await cookies()).toString(), origin);
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthorized") return null;
    throw error;
  }
});

/**
 * The account of the signed-in wallet as its owner acts for it; null without one. The same object for a whole request.
 */
export const accountOwner = cache(async (network: Network): Promise<SessionContext | null> => {
  const signedIn = await wallet(network);
  if (!signedIn?.account) return null;
  const { account, sessionId, chainId, requestId, clientAddress } = signedIn;
  return { actor: "session", account, sessionId, network, chainId, requestId, clientAddress };
});

/**
 * Where the stream of changes continues from what this request shows: the browser hears of all that came after, and
 * need not look again for it. Whatever a page reads, it reads after this; null without an account.
 */
export const streamCursor = cache(async (network: Network): Promise<string | null> => {
  const owner = await accountOwner(network);
  if (!owner) return null;
  return writeCursor(await currentCursor({ rootId: owner.account.rootId, chainId: owner.chainId }));
});

/** The signed-in wallet; a visitor is sent to the sign-in and comes back to the page that was asked for. */
export async function requireWallet(name: string): Promise<WalletContext> {
  const network = networkOfPath(name);
  const [signedIn] = await Promise.all([wallet(network), streamCursor(network)]);
  if (signedIn) return signedIn;
  const page = nextPath(requestedPageOf(await headers()) ?? `/${network}`);
  redirect(`/sign-in?next=${encodeURIComponent(page)}`);
}

/**
 * The account's owner as the pages of the dashboard act for them. Visitors go to the sign-in, wallets whose account is
 * not enrolled on this network to the first visit's page.
 *
 * @param name the `[network]` part of the path
 */
export async function owner(name: string): Promise<SessionContext> {
  const { network } = await requireWallet(name);
  const context = await accountOwner(network);
  if (!context) redirect(`/${network}/welcome`);
  if ((await enrollmentOf(context)).enrolled === "none") redirect(`/${network}/welcome`);
  return context;
}

/** The account's standing on the network, read once per request. */
export const enrollmentOf = cache(getEnrollment);
