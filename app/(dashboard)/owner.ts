import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { getEnrollment } from "@/lib/accounts/get-enrollment";
import { clientAddressOf } from "@/lib/base/client-address";
import type { SessionContext } from "@/lib/base/context/context";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { CHAIN_ID, type Network } from "@/lib/base/network";
import { signInPath } from "@/lib/base/next-path";
import { requestedPageOf } from "@/lib/base/requested-page";
import { streamCursorText } from "@/lib/events/stream/cursor";
import { currentCursor } from "@/lib/events/stream/read-changes";
import { authenticateWallet } from "@/lib/http/auth/authenticate-session";

/** Returns the network that a path names. Any other name is a page that does not exist. */
export function networkOfPath(name: string): Network {
  if (name === "test" || name === "live") return name;
  notFound();
}

/** The signed-in wallet of this request, or whether its session timed out. One look-up per request. */
const sessionOf = cache(async (network: Network): Promise<WalletContext | { timedOut: boolean }> => {
  const origin = {
    network,
    chainId: CHAIN_ID[network],
    requestId: newId("request"),
    clientAddress: clientAddressOf(await headers()),
  };
  try {
    return await authenticateWallet((await cookies()).toString(), origin);
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthorized") return { timedOut: error.reason !== undefined };
    throw error;
  }
});

/** Returns the signed-in wallet of this request, or null. */
export async function wallet(network: Network): Promise<WalletContext | null> {
  const session = await sessionOf(network);
  return "timedOut" in session ? null : session;
}

/** Returns whether this request's session timed out, as opposed to being ended by someone, or none. */
export async function hasTimedOut(network: Network): Promise<boolean> {
  const session = await sessionOf(network);
  return "timedOut" in session && session.timedOut;
}

/**
 * Returns the signed-in wallet's account, for acting as its owner, or null if it has none. The same object for a whole
 * request.
 */
export const accountOwner = cache(async (network: Network): Promise<SessionContext | null> => {
  const signedIn = await wallet(network);
  if (!signedIn?.account) return null;
  const { account, sessionId, chainId, requestId, clientAddress } = signedIn;
  return { actor: "session", account, sessionId, network, chainId, requestId, clientAddress };
});

/**
 * Returns the position in the stream of changes up to which this request's data is current, or null without an account.
 * The browser hears of all later changes from there. Read before all other data of the page.
 */
export const streamCursor = cache(async (network: Network): Promise<string | null> => {
  const owner = await accountOwner(network);
  if (!owner) return null;
  return streamCursorText(await currentCursor({ rootId: owner.account.rootId, chainId: owner.chainId }));
});

/** Returns the signed-in wallet. Redirects a visitor to the sign-in, which returns to the requested page. */
export async function requireWallet(name: string): Promise<WalletContext> {
  const network = networkOfPath(name);
  const [signedIn] = await Promise.all([wallet(network), streamCursor(network)]);
  if (signedIn) return signedIn;
  redirect(signInPath(requestedPageOf(await headers()) ?? `/${network}`));
}

/**
 * Returns the account's owner for a dashboard page. Redirects visitors to the sign-in, and wallets whose account is not
 * enrolled on this network to the first visit.
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

/** Returns the account's enrollment on the network, read once per request. */
export const enrollmentOf = cache(getEnrollment);
