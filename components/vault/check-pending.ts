import type { Network } from "@/lib/network";
import { BrowserPins } from "@/sdk/browser-pins";
import { checkPayment } from "@/sdk/check-payment";
import { Context } from "@/sdk/context";
import { HalcyonError } from "@/sdk/errors";
import { Http } from "@/sdk/http";
import { type PaymentOutcome, readPending } from "@/sdk/pending-payment";
import { Pins } from "@/sdk/pins";
import { CookieSession } from "@/sdk/session-calls";

/**
 * As the vault's method `checkPayment`, without a vault: nothing has to be unlocked to see what became of a payment. Import
 * it when it is needed (`await import`), for it loads the client.
 *
 * @param pending as it was kept
 */
export function checkPending(network: Network, pending: unknown): Promise<PaymentOutcome> {
  const http = new Http(location.origin);
  const context = new Context({
    http,
    network,
    session: new CookieSession(http, network),
    pins: new Pins(new BrowserPins()),
    loadProver: () => Promise.reject(new HalcyonError("internal", "Nothing is proven here.")),
  });
  return checkPayment(context, readPending(pending));
}
