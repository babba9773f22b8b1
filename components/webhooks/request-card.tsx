import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import type { SentRequest } from "@/lib/events/webhooks/sent-request";
import { curlOf } from "./curl-of";

/** The latest request as its receiver got it, without the signatures, which are not kept. */
export function RequestCard({ request }: { request: SentRequest | null }) {
  if (!request)
    return <Card title="Request" description="Nothing was sent yet. The request appears here once it is sent." />;
  const { method, url, headers, body } = request;
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${value ?? "(made with your secret, not kept)"}`,
  );
  return (
    <Card
      title="Request"
      description={
        <span className="wrap-anywhere font-mono text-[13px]">
          {method} {url}
        </span>
      }
      action={
        body === null ? undefined : (
          <CopyButton value={curlOf({ ...request, body })} label="request as a curl command" text="Copy as curl" />
        )
      }
    >
      <div className="grid gap-3">
        <CodeBlock title="Headers" code={lines.join("\n")} />
        {body === null ? (
          <p className="text-muted text-sm">The event is no longer kept, so its body cannot be shown.</p>
        ) : (
          <>
            <CodeBlock title="Body, indented" code={indented(body)} />
            <p className="text-pretty text-muted text-xs">
              The curl command sends the same bytes and signs them with <code>WEBHOOK_SECRET</code> of your shell.
            </p>
          </>
        )}
      </div>
    </Card>
  );
}

/** Indents a JSON text for reading. Returns any other text unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
