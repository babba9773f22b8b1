import { CodeBlock } from "@/components/ui/code-block";

/** Explains how to receive events without a server. Shown below an empty list. */
export function ListenHint() {
  return (
    <div className="grid gap-4 border-line border-t p-4 sm:p-5 md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:items-center md:gap-8">
      <div>
        <h3 className="font-medium text-sm">While you build the receiver</h3>
        <p className="mt-1 text-pretty text-muted text-sm">
          Forward events to your machine as they happen, signed like real deliveries.{" "}
          <a href="/docs/webhooks" className="text-accent underline underline-offset-2">
            Events and webhooks
          </a>{" "}
          explains how to verify them.
        </p>
      </div>
      <CodeBlock commands title="Terminal" code="./halcyon listen --forward-to http://localhost:4000/hook" />
    </div>
  );
}
