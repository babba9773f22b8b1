/** A short message to a person. */
export interface Message {
  kind: "success" | "notice" | "failure";
  title: string;
  description?: string | undefined;
}

/** Messages on their way to the screen: none is lost while the code that shows them is still loading. */
export class ToastQueue {
  private waiting: Message[] = [];
  private readonly listeners = new Set<() => void>();

  add(message: Message): void {
    this.waiting.push(message);
    for (const listener of this.listeners) listener();
  }

  /** Takes the messages that wait; each is returned once. */
  take(): Message[] {
    return this.waiting.splice(0);
  }

  /** Calls the listener after each new message. Returns what ends that. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
