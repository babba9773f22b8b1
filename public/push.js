// The service worker of push notifications: shows what was pushed, and opens the sign-in when it is pressed. It has no
// part in loading pages, and no message holds an amount, a name or an id (lib/notifications/delivery/messages.ts).

const SAFE_PATH = /^\/(sign-in\?next=|status$)/;

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data.json();
  } catch {
    // A browser must show something for each message.
  }
  const { title = "Something needs your attention", body = "Sign in to Halcyon to see what.", path, tag } = message;
  event.waitUntil(
    self.registration.showNotification(title, { body, tag, renotify: Boolean(tag), icon: "/icon.svg", data: { path } }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { path } = event.notification.data ?? {};
  const url = new URL(SAFE_PATH.test(path) ? path : "/sign-in", self.location.origin).href;
  event.waitUntil(self.clients.openWindow(url));
});
