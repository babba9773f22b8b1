import type { Network } from "@/lib/base/network";
import { HalcyonError } from "@/sdk/api/errors";
import { Http } from "@/sdk/api/http";
import { Context } from "@/sdk/context/context";
import { Pins } from "@/sdk/context/pins";
import { BrowserPins } from "@/sdk/context/platform/browser-pins";
import { CookieSession } from "@/sdk/context/session/session-calls";
import { checkPayment } from "@/sdk/payments/attempts/check-payment";
import { type PaymentOutcome, readPending } from "@/sdk/payments/attempts/pending-payment";

/**
 * Does what the vault's method `checkPayment` does, without a vault: seeing what became of a payment needs no
 * unlocking. Import it on demand (`await import`), because it loads the client.
 *
 * @param pending the record as it was kept
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
