// This browser's part in push notifications (W3C Push API).

const WORKER = "/push.js";
const NAME_LENGTH = 300;

/** What this browser is called in the list of devices. */
export const deviceName = (): string => navigator.userAgent.slice(0, NAME_LENGTH);

/** Whether this browser can get push messages at all; on an iPhone only as an app on the home screen. */
export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** The host of the push service that this browser gets messages of this site from, of whichever account; null: of none. */
export async function pushService(): Promise<string | null> {
  if (!canPush()) return null;
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await registration?.pushManager.getSubscription();
  return subscription ? new URL(subscription.endpoint).hostname : null;
}

/**
 * Subscribes this browser at its push service.
 *
 * @param key the installation's VAPID key, base64url
 * @returns the subscription as the service takes it; null: the person does not allow notifications
 */
export async function subscribe(key: string): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // One that was made for another key takes no messages of ours.
  if (before && keyOf(before) !== key) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return subscription.toJSON();
}

/** Base64url of the key a subscription was made for. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
