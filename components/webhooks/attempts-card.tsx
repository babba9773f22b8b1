import { Badge } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { Count } from "@/components/ui/count";
import { Time } from "@/components/ui/time";
import type { AttemptResource, DeliveryResource } from "@/lib/events/webhooks/delivery-resource";
import { failureOf } from "./wording";

/** The result of one attempt: its status, or why there was none. */
function Result({ response_code, error }: AttemptResource) {
  if (error === null) return <Badge tone="success">{response_code}</Badge>;
  return response_code === null ? (
    <Badge tone="danger">{failureOf(error).title}</Badge>
  ) : (
    <Badge tone="danger">{response_code}</Badge>
  );
}

function Attempt({ attempt, moved }: { attempt: AttemptResource; moved: boolean }) {
  const { response_body, response_code } = attempt;
  return (
    <li className="grid gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm tabular-nums">
        <span className="flex items-center gap-2.5">
          <span className="text-muted">{attempt.attempt}</span>
          <Result {...attempt} />
        </span>
        <span className="text-muted text-xs">
          <Time value={attempt.attempted_at} seconds />, <Count value={attempt.duration_ms} /> ms
        </span>
      </div>
      {moved && <p className="wrap-anywhere font-mono text-muted text-xs">{attempt.url}</p>}
      {response_body && <CodeBlock title="Response, up to 256 bytes" code={response_body} />}
      {response_code !== null && response_body === "" && (
        <p className="text-muted text-xs">The response had no body.</p>
      )}
    </li>
  );
}

/** Every attempt of a delivery with its response, newest first. */
export function AttemptsCard({ delivery }: { delivery: DeliveryResource }) {
  const { attempts, url } = delivery;
  if (attempts.length === 0) return <Card title="Attempts" description="Waiting for the first attempt." />;
  const unstored = attempts.some(
    ({ response_code, response_body }) => response_code !== null && response_body === null,
  );
  return (
    <Card
      title="Attempts"
      description={unstored ? "Responses are not stored. You can turn this on when you edit the webhook." : undefined}
    >
      <ol className="divide-y divide-line">
        {[...attempts].reverse().map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} moved={attempt.url !== url} />
        ))}
      </ol>
    </Card>
  );
}
