import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";

/** A key that stops working soon. */
interface ExpiringKey {
  id: string;
  label: string;
  lastFour: string;
  /** Of the agent it belongs to, without `@`; null: the account itself. */
  agentHandle: string | null;
  expiresAt: Date;
}

/** The keys that stop working soon; without any, nothing. */
export function ExpiringKeys({ path, keys }: { path: string; keys: readonly ExpiringKey[] }) {
  if (keys.length === 0) return null;
  return (
    <Card
      flush
      title="Keys that expire soon"
      action={
        <Link href={path} className="text-accent text-sm underline-offset-4 hover:underline">
          All keys
        </Link>
      }
    >
      <ul className="divide-y divide-line border-line border-t">
        {keys.map(({ id, label, lastFour, agentHandle, expiresAt }) => (
          <li key={id} className="flex items-center justify-between gap-4 px-4 py-3 text-sm sm:px-5">
            <span className="min-w-0">
              <span className="block truncate font-medium">{label}</span>
              <span className="block truncate text-muted text-xs">
                <span className="font-mono">…{lastFour}</span>
                {agentHandle && ` · @${agentHandle}`}
              </span>
            </span>
            <Time value={expiresAt.toISOString()} className="shrink-0 text-muted" />
          </li>
        ))}
      </ul>
    </Card>
  );
}
