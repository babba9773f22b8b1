/** What the tabs of this browser share: never a secret. */
type TabMessage = "lock" | "signed-out";

const CHANNEL = "halcyon.vault";

/** Sends to the other tabs. */
export function notifyTabs(message: TabMessage): void {
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
