"use client";

import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";
import type { ReactNode } from "react";
import { useErrorWords } from "./error-words";

interface Toasts {
  /** Something was done. */
  success(title: string, description?: string): void;
  /** Something failed: the remedy stays until it is read. */
  failure(error: unknown, title?: string): void;
}

/** Short messages in a live region; errors are announced at once. */
export function useToast(): Toasts {
  const { add } = Toast.useToastManager();
  const wordsOf = useErrorWords();
  return {
    success: (title, description) => void add({ title, description, type: "success", timeout: 5_000 }),
    failure: (error, title = "That did not work") =>
      void add({ title, description: wordsOf(error).message, type: "failure", priority: "high", timeout: 0 }),
  };
}

function Shown() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={["down", "right"]}
      className="rounded-xl border border-line bg-raised shadow-overlay transition-[transform,opacity] duration-200 data-ending-style:translate-y-3 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex gap-3 p-3.5">
        {toast.type === "failure" ? (
          <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-danger" />
        ) : (
          <CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-success" />
        )}
        <div className="min-w-0 flex-1 text-sm">
          <Toast.Title className="font-medium" />
          <Toast.Description className="mt-0.5 text-pretty text-muted" />
        </div>
        <Toast.Close
          aria-label="Dismiss"
          className="-mt-1 -mr-1 grid size-7 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink pointer-coarse:size-11"
        >
          <X size={14} aria-hidden="true" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

/** Makes {@link useToast} work below it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-60 grid gap-2 sm:left-auto sm:w-96">
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
