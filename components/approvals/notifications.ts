import type { Network } from "@/lib/network";

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
 * Notifies that an agent asks, unless the person is looking at this page. Reveals nothing about the payment.
 *
 * @param go shows a page of this tab; to load it again would lock the account
 */
export function notifyHeld(network: Network, transactionId: string, go: (href: string) => void): void {
  if (notifying() !== "on" || document.hasFocus()) return;
  try {
    // One of each payment, however many tabs hear of it.
    const shown = new Notification("An agent asks for approval", { tag: transactionId });
    shown.onclick = () => {
      shown.close();
      window.focus();
      go(`/${network}/approvals?open=${transactionId}`);
    };
  } catch {
    // Phones show notifications of service workers only.
  }
}
