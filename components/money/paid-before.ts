import type { Network } from "@/lib/network";
import { BrowserPins } from "@/sdk/platform/browser-pins";

/** Whose payments: an account on one network. */
interface Payer {
  network: Network;
  address: string;
}

const store = new BrowserPins();

const pinNameOf = ({ network, address }: Payer, recipient: string) =>
  ["paid", network, address.toLowerCase(), recipient.toLowerCase()] as const;

/**
 * Whether this browser has paid an address for this account. What cannot be read was not: then the person is warned.
 */
export async function paidBefore(payer: Payer, recipient: string): Promise<boolean> {
  return store.peek(pinNameOf(payer, recipient)).then(
    (kept) => kept !== undefined,
    () => false,
  );
}

/** Remembers that an address was paid; neither when nor how much. */
export async function rememberPaid(payer: Payer, recipient: string): Promise<void> {
  // A browser that keeps nothing warns once more.
  await store.pin(pinNameOf(payer, recipient), "paid").catch(() => {});
}
