import { api } from "@/components/api/api";
import type { Network } from "@/lib/network";
import type { NotificationsResource } from "@/lib/notifications/settings-resource";
import { deviceName, pushService } from "./push-browser";

const STORED = "halcyon.notify-approvals";

/** `off` also where the browser may show notifications: the person has not asked for them, or no longer wants them. */
export type Notifying = "unsupported" | "blocked" | "off" | "on";

/** Whether this browser notifies of payments that wait. */
export function notifying(): Notifying {
  if (!("Notification" in globalThis)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return Notification.permission === "granted" && localStorage.getItem(STORED) === "on" ? "on" : "off";
}

/** Turns notifications on, asking the browser if it has not been asked; from a press of a button only. */
export async function startNotifying(): Promise<Notifying> {
  if ((await Notification.requestPermission()) === "granted") localStorage.setItem(STORED, "on");
  return notifying();
}

export function stopNotifying(): Notifying {
  localStorage.removeItem(STORED);
  return notifying();
}

/**
 * Whether the service pushes this account's requests for approval to this browser: then it is notified without this page.
 * The service never says where a device is, so it is known by what its owner sees of it.
 */
async function isPushedTo(network: Network): Promise<boolean> {
  const own = await pushService();
  if (own === null) return false;
  const { devices, kinds } = await api(network).get<NotificationsResource>("/api/notifications");
  const isHere = devices.some(({ service, user_agent }) => service === own && user_agent === deviceName());
  return isHere && kinds.some(({ kind, push }) => kind === "approval_needed" && push);
}

/** Shows one, unless the person is looking at this page or wants none. */
function show(title: string, tag: string, go: () => void): void {
  if (notifying() !== "on" || document.hasFocus()) return;
  try {
    // One of each, however many tabs hear of it.
    const shown = new Notification(title, { tag });
    shown.onclick = () => {
      shown.close();
      window.focus();
      go();
    };
  } catch {
    // Phones show notifications of service workers only.
  }
}

/**
 * Notifies that an agent asks, unless the person is looking at this page, or gets a push message of it. Reveals nothing
 * about the payment.
 *
 * @param go shows a page of this tab; to load it again would lock the account
 * @param isPushed whether this browser gets push messages of these
 */
export async function notifyHeld(
  network: Network,
  transactionId: string,
  go: (href: string) => void,
  isPushed = isPushedTo,
): Promise<void> {
  // Two notices are better than none: where no one knows, this page notifies.
  if (notifying() === "on" && (await isPushed(network).catch(() => false))) return;
  show("An agent asks for approval", transactionId, () => go(`/${network}/approvals?open=${transactionId}`));
}

/**
 * Notifies that an available balance is low, unless the person is looking at this page. Says neither how much is left nor
 * how much is wanted.
 */
export function notifyLow(network: Network, asset: string, go: (href: string) => void): void {
  show(`Your available ${asset} is low`, `low ${network} ${asset}`, () => go(`/${network}/balances`));
}
