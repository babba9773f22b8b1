/** A message between the tabs of this browser. Never contains a secret. */
export type TabMessage =
  | { kind: "lock" }
  | { kind: "signed-out" }
  /** A wallet has signed in. Tabs of another wallet must close what they show. */
  | { kind: "signed-in"; address: string };

const CHANNEL = "halcyon.vault";

const here = new Set<(message: TabMessage) => void>();

/** What this tab hears the others through; undefined while it does not listen. */
let listening: BroadcastChannel | undefined;

/** Sends a message to the other tabs, and with `here` to this one as well. */
export function notifyTabs(message: TabMessage, options: { here?: true } = {}): void {
  // A channel does not hear itself, but it hears every other channel of its name, also one of the same tab.
  const channel = listening ?? new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  if (channel !== listening) channel.close();
  if (options.here) for (const hear of here) hear(message);
}

/** Calls `hear` for each message from another tab. Returns a function that unsubscribes. */
export function hearTabs(hear: (message: TabMessage) => void): () => void {
  if (!listening) {
    listening = new BroadcastChannel(CHANNEL);
    listening.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      for (const hear of here) hear(data);
    };
  }
  here.add(hear);
  return () => {
    here.delete(hear);
    if (here.size > 0) return;
    listening?.close();
    listening = undefined;
  };
}
