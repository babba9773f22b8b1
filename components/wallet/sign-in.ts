import type { Address, Hex } from "viem";
import { deleteRecords } from "@/components/api/browser/reload-store";
import { notifyTabs } from "@/components/api/browser/tabs";
import { orCancelled } from "@/components/ui/or-cancelled";
import type { Network } from "@/lib/base/network";
import { HalcyonError } from "@/sdk/api/errors";
import { Http } from "@/sdk/api/http";
import { serverTime, signInMessage } from "@/sdk/context/session/sign-in-message";
import { endSession } from "./end-session";
import { openSession } from "./open-session";

/**
 * Signs this browser in through next-auth, with one signature (ERC-4361). If the person cancels, also after the wallet
 * has signed, no session is left.
 *
 * @throws HalcyonError `unauthorized` if the service refuses; the signal's reason
 */
export async function signIn(
  network: Network,
  address: Address,
  signMessage: (message: string) => Promise<Hex>,
  signal: AbortSignal,
): Promise<void> {
  const http = new Http(location.origin);
  const response = await http.send("GET", "/api/siwe/nonce");
  const { nonce } = response.body as { nonce: string };
  signal.throwIfAborted();
  const message = signInMessage(location.origin, network, address, nonce, serverTime(response));
  const signature = await orCancelled(signMessage(message), signal);
  if (!(await openSession(http, { message, signature, callbackUrl: location.origin }, signal))) {
    throw new HalcyonError(
      "unauthorized",
      `The service refused the sign-in. Open it at the exact address it is configured with; this page is ${location.origin}.`,
    );
  }
  // The old reload copy belongs to another session.
  await deleteRecords();
  if (signal.aborted) {
    await endSession(http);
    throw signal.reason;
  }
  notifyTabs({ kind: "signed-in", address });
}
