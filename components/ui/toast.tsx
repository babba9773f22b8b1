"use client";

import { type ComponentType, createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useErrorWords } from "./error-words";
import { failureMessage, type ToastMessage, ToastQueue } from "./toast-queue";

interface Toasts {
  /** Says that something was done. */
  success(title: string, description?: string): void;
  /** Says that something happened that the person did not ask for, until it is no longer true. */
  notice(title: string, description?: string, until?: Promise<unknown>): void;
  /** Says that something failed, or that its outcome is unknown. Stays until dismissed. */
  failure(error: unknown, title?: string): void;
}

const QueueContext = createContext<ToastQueue | null>(null);

/** Returns functions that show short messages in a live region. Errors are announced at once. */
export function useToast(): Toasts {
  const queue = useContext(QueueContext);
  const wordsOf = useErrorWords();
  if (!queue) throw new Error("messages need a ToastProvider above them");
  return {
    success: (title, description) => queue.add({ kind: "success", title, description }),
    notice: (title, description, until) => queue.add({ kind: "notice", title, description, until }),
    failure: (error, title) => queue.add(failureMessage(wordsOf(error), title)),
  };
}

/**
 * Provides {@link useToast} to what is below. The code that shows messages is not part of a page's first load. It loads
 * with the first click or key press, so that the live region exists before the first message.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [queue] = useState(() => new ToastQueue());
  const [Region, setRegion] = useState<ComponentType<{ queue: ToastQueue }> | null>(null);
  const [plain, setPlain] = useState<ToastMessage[]>([]);
  useEffect(() => {
    if (Region) return;
    const load = () => {
      import("./toast-region").then(
        ({ ToastRegion }) => setRegion(() => ToastRegion),
        // Offline, the code can't be loaded. Show the messages as plain text instead.
        () => {
          const more = queue.take();
          setPlain((before) => [...before, ...more].slice(-3));
        },
      );
    };
    const stops = [queue.subscribe(load)];
    for (const event of ["pointerdown", "keydown"]) {
      addEventListener(event, load, { once: true });
      stops.push(() => removeEventListener(event, load));
    }
    return () => {
      for (const stop of stops) stop();
    };
  }, [queue, Region]);
  return (
    <QueueContext value={queue}>
      {children}
      {Region && <Region queue={queue} />}
      {!Region && plain.length > 0 && (
        <div
          role="alert"
          className="fixed inset-x-4 bottom-4 z-60 rounded-xl border border-line bg-raised p-3.5 text-sm"
        >
          {plain.map(({ title, description }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same message can come twice, and none moves
            <p key={at}>
              <span className="font-medium">{title}</span> {description}
            </p>
          ))}
        </div>
      )}
    </QueueContext>
  );
}
