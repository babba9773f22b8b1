// This browser's part in push notifications (W3C Push API).

const WORKER = "/push.js";
const NAME_LENGTH = 300;

/** Returns this browser's name in the list of devices. */
export const deviceName = (): string => navigator.userAgent.slice(0, NAME_LENGTH);

/** Returns whether this browser can get push messages. On an iPhone, only an app on the home screen can. */
export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/**
 * Returns the host of the push service through which this browser gets this site's messages, for any account; null if
 * none.
 */
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
 * @returns the subscription, in the API's format; null if the person does not allow notifications
 */
export async function subscribe(key: string): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== "granted") return null;
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // A subscription made with another key can't receive our messages.
  if (before && keyOf(before) !== key) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return subscription.toJSON();
}

/** Returns the base64url key that a subscription was made with. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
