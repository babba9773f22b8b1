import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notifyHeld, notifyLow } from "./desktop";

let shown: [title: string, tag: string | undefined][] = [];
let focused = false;
let stored: string | null = "on";

beforeEach(() => {
  [shown, focused, stored] = [[], false, "on"];
  class Recorder {
    static permission = "granted";
    close = vi.fn();
    constructor(title: string, options?: NotificationOptions) {
      shown.push([title, options?.tag]);
      last = this;
    }
  }
  vi.stubGlobal("Notification", Recorder);
  vi.stubGlobal("localStorage", { getItem: () => stored });
  vi.stubGlobal("document", { hasFocus: () => focused });
});
afterEach(() => vi.unstubAllGlobals());

/** The notification that was shown last. */
let last: { onclick?: () => void; close: () => void };
const held = (id: string, isPushed: () => Promise<boolean>) => notifyHeld("test", id, () => {}, isPushed);

test("a browser that gets push messages of held payments is not notified of one twice, and never not at all", async () => {
  await held("tx_1", async () => true);
  expect(shown).toEqual([]);
  await held("tx_2", async () => false);
  await held("tx_3", () => Promise.reject(new Error("the service is away")));
  expect(shown).toEqual([
    ["An agent asks for approval", "tx_2"],
    ["An agent asks for approval", "tx_3"],
  ]);
});

test("a browser gets push messages of held payments if it is among the account's devices, and the account wants them", async () => {
  const here = { service: "push.example.com", user_agent: "Firefox" };
  let [devices, push] = [[here], true];
  let endpoint: string | undefined = "https://push.example.com/send/1";
  const subscription = async () => (endpoint ? { endpoint } : null);
  const serviceWorker = { getRegistration: async () => ({ pushManager: { getSubscription: subscription } }) };
  vi.stubGlobal("navigator", { userAgent: "Firefox", serviceWorker });
  vi.stubGlobal("window", { PushManager: class {}, Notification });
  vi.stubGlobal("location", { origin: "http://localhost:3000" });
  const fetched = vi.fn(async (_: unknown) => Response.json({ devices, kinds: [{ kind: "approval_needed", push }] }));
  vi.stubGlobal("fetch", fetched);
  const isShown = async () => {
    shown = [];
    await notifyHeld("test", "tx_1", () => {});
    return shown.length > 0;
  };
  expect(await isShown()).toBe(false);
  expect(String(fetched.mock.calls[0]?.[0])).toContain("/api/notifications?network=test");
  push = false;
  expect(await isShown()).toBe(true);
  [push, devices] = [true, [{ ...here, user_agent: "Another" }]];
  expect(await isShown()).toBe(true);
  [devices, endpoint] = [[here], undefined];
  expect(await isShown()).toBe(true);
});

test("no one is notified of what they look at, or who has not asked for it; a low balance says no figure", async () => {
  const isPushed = async () => false;
  focused = true;
  await held("tx_1", isPushed);
  notifyLow("test", "USDG", () => {});
  [focused, stored] = [false, null];
  await held("tx_1", isPushed);
  notifyLow("test", "USDG", () => {});
  expect(shown).toEqual([]);
  stored = "on";
  notifyLow("test", "USDG", () => {});
  expect(shown).toEqual([["Your available USDG is low", "low test USDG"]]);
});

test("pressed, a notification closes and leads to what it is about, within the page", async () => {
  const [go, focus] = [vi.fn(), vi.fn()];
  vi.stubGlobal("window", { focus });
  await notifyHeld("test", "tx_1", go, async () => false);
  last.onclick?.();
  notifyLow("live", "USDG", go);
  last.onclick?.();
  expect(go.mock.calls).toEqual([["/test/approvals?open=tx_1"], ["/live/balances"]]);
  expect(focus).toHaveBeenCalledTimes(2);
  expect(last.close).toHaveBeenCalledOnce();
});
