import { errorTitle } from "./error-title";
import type { ErrorWords } from "./error-words";

/** A short message to the person. */
export interface ToastMessage {
  kind: "success" | "notice" | "failure";
  title: string;
  description?: string | undefined;
  /** Takes the message away when it resolves, because it is no longer true. */
  until?: Promise<unknown> | undefined;
}

/**
 * Returns the message for a failure.
 *
 * @param failed the title, unless it may have been done nevertheless
 */
export function failureMessage(words: ErrorWords, failed = "That did not work"): ToastMessage {
  return { kind: "failure", title: errorTitle(words, failed), description: words.message };
}

/** Messages that wait to be shown. None is lost while the code that shows them is still loading. */
export class ToastQueue {
  private waiting: ToastMessage[] = [];
  private readonly listeners = new Set<() => void>();

  add(message: ToastMessage): void {
    this.waiting.push(message);
    for (const listener of this.listeners) listener();
  }

  /** Removes and returns the waiting messages. */
  take(): ToastMessage[] {
    return this.waiting.splice(0);
  }

  /** Calls the listener after each new message. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
