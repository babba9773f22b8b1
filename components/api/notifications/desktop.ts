import { api } from "@/components/api/api";
import type { Network } from "@/lib/base/network";
import type { NotificationsResource } from "@/lib/events/notifications/settings-resource";
import { deviceName, pushService } from "./push-browser";

const STORED = "halcyon.notify-approvals";

/** Whether this browser shows notifications. `off` if the browser allows them but the person has not turned them on. */
export type Notifying = "unsupported" | "blocked" | "off" | "on";

/** Returns whether this browser notifies about payments that wait. */
export function notifying(): Notifying {
  if (!("Notification" in globalThis)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(STORED) === "on" ? "on" : "off";
}

/** Turns notifications on, asking for the browser's permission if necessary. Call only from a click. */
export async function startNotifying(): Promise<Notifying> {
  if ((await Notification.requestPermission()) === "granted") localStorage.setItem(STORED, "on");
  return notifying();
}

export function stopNotifying(): Notifying {
  localStorage.removeItem(STORED);
  return notifying();
}

/**
 * Returns whether the service pushes this account's requests for approval to this browser, so that this page need not
 * notify. The service does not reveal device addresses, so the device is recognized by its push service and user agent.
 */
async function isPushedTo(network: Network): Promise<boolean> {
  const own = await pushService();
  if (own === null) return false;
  const { devices, kinds } = await api(network).get<NotificationsResource>("/api/notifications");
  const isHere = devices.some(({ service, user_agent }) => service === own && user_agent === deviceName());
  return isHere && kinds.some(({ kind, push }) => kind === "approval_needed" && push);
}

/** Shows a notification, unless the person is looking at this page or has turned notifications off. */
function show(title: string, tag: string, go: () => void): void {
  if (notifying() !== "on" || document.hasFocus()) return;
  try {
    // The tag shows it once, even if several tabs report it.
    const shown = new Notification(title, { tag });
    shown.onclick = () => {
      shown.close();
      window.focus();
      go();
    };
  } catch {
    // Phones allow notifications only from service workers.
  }
}

/**
 * Notifies that an agent asks for approval, unless the person is looking at this page or gets a push message about it.
 * Reveals nothing about the payment.
 *
 * @param go opens a page within this tab; loading it would lock the account
 * @param isPushed returns whether this browser gets push messages about approvals
 */
export async function notifyHeld(
  network: Network,
  transactionId: string,
  go: (href: string) => void,
  isPushed = isPushedTo,
): Promise<void> {
  // Two notifications are better than none: if the check fails, this page notifies.
  if (notifying() === "on" && (await isPushed(network).catch(() => false))) return;
  show("An agent asks for approval", transactionId, () => go(`/${network}/approvals?open=${transactionId}`));
}

/**
 * Notifies that an available balance is low, unless the person is looking at this page. Reveals neither the balance nor
 * the limit.
 */
export function notifyLow(network: Network, asset: string, go: (href: string) => void): void {
  show(`Your available ${asset} is low`, `low ${network} ${asset}`, () => go(`/${network}/balances`));
}
