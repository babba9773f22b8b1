/** What the tabs of this browser tell each other: never a secret. */
type TabMessage = "lock" | "signed-out";

const CHANNEL = "halcyon.vault";

/** Tells the other tabs. */
export function tellTabs(message: TabMessage): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(message);
  channel.close();
}

/** Hears what other tabs say; returns what ends that. */
export function hearTabs(hear: (message: TabMessage) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => hear(data);
  return () => channel.close();
}
