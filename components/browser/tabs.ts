/** What the tabs of this browser share: never a secret. */
export type TabMessage =
  | { kind: "lock" }
  | { kind: "signed-out" }
  /** A wallet has signed in: what is open for another one is over. */
  | { kind: "signed-in"; address: string };

const CHANNEL = "halcyon.vault";

const here = new Set<(message: TabMessage) => void>();

/** Sends to the other tabs, and to this one where it is meant for all. */
export function notifyTabs(message: TabMessage, options: { here?: true } = {}): void {
  if (options.here) for (const hear of here) hear(message);
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/** Hears what tabs say; returns what ends that. */
export function hearTabs(hear: (message: TabMessage) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data);
  here.add(hear);
  return () => {
    here.delete(hear);
    channel.close();
  };
}
