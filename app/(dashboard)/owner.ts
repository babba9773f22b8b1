import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { getEnrollment } from "@/lib/accounts/get-enrollment";
import { authenticateWallet, type WalletContext } from "@/lib/auth/authenticate-session";
import type { SessionContext } from "@/lib/auth/context";
import { clientAddressOf } from "@/lib/client-address";
import { ApiError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { CHAIN_ID, type Network } from "@/lib/network";

/** The network a path names; anything else is a page that does not exist. */
export function networkOfPath(name: string): Network {
  if (name === "test" || name === "live") return name;
  notFound();
}

/** The signed-in wallet of this request; null when nobody is. One lookup per request. */
export const wallet = cache(async (network: Network): Promise<WalletContext | null> => {
  const place = {
    network,
    chainId: CHAIN_ID[network],
    requestId: newId("request"),
    clientAddress: clientAddressOf(await headers()),
  };
  try {
    return await authenticateWallet((await cookies()).toString(), place);
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthorized") return null;
    throw error;
  }
});

/** The signed-in wallet; a visitor is sent to the sign-in and comes back to the network's home. */
export async function requireWallet(name: string): Promise<WalletContext> {
  const network = networkOfPath(name);
  const signedIn = await wallet(network);
  return signedIn ?? redirect(`/sign-in?next=/${network}`);
}

/**
 * The account's owner as the pages of the dashboard act for them. Visitors go to the sign-in, wallets whose account is
 * not enrolled on this network to the first visit's page.
 *
 * @param name the `[network]` part of the path
 */
export async function owner(name: string): Promise<SessionContext> {
  const { account, sessionId, network, chainId, requestId, clientAddress } = await requireWallet(name);
  if (!account) redirect(`/${network}/welcome`);
  const context: SessionContext = { actor: "session", account, sessionId, network, chainId, requestId, clientAddress };
  if ((await enrollmentOf(context)).enrolled === "none") redirect(`/${network}/welcome`);
  return context;
}

/** The account's standing on the network, read once per request. */
export const enrollmentOf = cache(getEnrollment);
