import type { Address, Hex } from "viem";
import { deleteRecords } from "@/components/browser/reload-store";
import { notifyTabs } from "@/components/browser/tabs";
import type { Network } from "@/lib/network";
import { HalcyonError } from "@/sdk/api/errors";
import { Http } from "@/sdk/api/http";
import { isSignedIn, signInMessage } from "@/sdk/session/sign-in-message";

/**
 * Signs this browser in by next-auth, with one signature (ERC-4361). Its CSRF cookie may have been replaced by another
 * request meanwhile: asked twice.
 *
 * @throws HalcyonError `unauthorized` when the service refuses
 */
export async function signIn(
  network: Network,
  address: Address,
  signMessage: (message: string) => Promise<Hex>,
): Promise<void> {
  const http = new Http(location.origin);
  const { nonce } = (await http.send("GET", "/api/siwe/nonce")).body as { nonce: string };
  const message = signInMessage(location.origin, network, address, nonce);
  const signature = await signMessage(message);
  for (let attempt = 1; attempt <= 2; attempt++) {
    const { csrfToken } = (await http.send("GET", "/api/auth/csrf")).body as { csrfToken: string };
    const form = { csrfToken, message, signature, json: "true", callbackUrl: location.origin };
    if (!isSignedIn(await http.sendOnce("POST", "/api/auth/callback/siwe", { form }))) continue;
    // What was left to read on belongs to another session.
    await deleteRecords();
    notifyTabs({ kind: "signed-in", address });
    return;
  }
  throw new HalcyonError(
    "unauthorized",
    `The service refused the sign-in. Open it at the exact address it is configured with; this page is ${location.origin}.`,
  );
}
