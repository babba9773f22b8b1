"use client";

import { Toast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect } from "react";
import type { ToastQueue } from "./toast-queue";

function Mark({ kind }: { kind: string | undefined }) {
  if (kind === "failure") return <CircleAlert size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-danger" />;
  if (kind === "notice") return <Info size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />;
  return <CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-success" />;
}

function Shown({ queue }: { queue: ToastQueue }) {
  const { toasts, add, close } = Toast.useToastManager();
  useEffect(() => {
    const show = () => {
      for (const { kind, until, ...text } of queue.take()) {
        const failed = kind === "failure";
        // Errors are announced at once and stay until dismissed, so that their remedy can be read.
        const id = add({ ...text, type: kind, timeout: failed ? 0 : 5_000, priority: failed ? "high" : "low" });
        void until?.then(() => close(id));
      }
    };
    show();
    return queue.subscribe(show);
  }, [queue, add, close]);
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      swipeDirection={["down", "right"]}
      className="rounded-xl border border-line bg-raised shadow-overlay transition-[transform,opacity] duration-200 data-ending-style:translate-y-3 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex gap-3 p-3.5">
        <Mark kind={toast.type} />
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

/** Shows the messages of a queue in a live region. */
export function ToastRegion({ queue }: { queue: ToastQueue }) {
  return (
    <Toast.Provider limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="fixed inset-x-4 bottom-4 z-60 grid gap-2 sm:left-auto sm:w-96">
          <Shown queue={queue} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
