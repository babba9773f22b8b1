import type { Network } from "@/lib/base/network";
import { BrowserPins } from "@/sdk/context/platform/browser-pins";

/** The paying account, on one network. */
interface Payer {
  network: Network;
  address: string;
}

const store = new BrowserPins();

const pinNameOf = ({ network, address }: Payer, recipient: string) =>
  ["paid", network, address.toLowerCase(), recipient.toLowerCase()] as const;

/**
 * Returns whether this browser has paid an address for this account. If the record can't be read, returns false, so
 * that the person is warned.
 */
export async function hasPaidAddress(payer: Payer, recipient: string): Promise<boolean> {
  return store.peek(pinNameOf(payer, recipient)).then(
    (kept) => kept !== undefined,
    () => false,
  );
}

/** Remembers that an address was paid, but not when or how much. */
export async function rememberPaid(payer: Payer, recipient: string): Promise<void> {
  // If it can't be stored, the person is warned again next time.
  await store.pin(pinNameOf(payer, recipient), "paid").catch(() => {});
}
