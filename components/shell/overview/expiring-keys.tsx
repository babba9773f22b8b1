import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";

/** A key that expires soon. */
interface ExpiringKey {
  id: string;
  label: string;
  lastFour: string;
  /** Handle of its agent, without `@`; null for the account's own key. */
  agentHandle: string | null;
  expiresAt: Date;
}

/** Lists the keys that expire soon. Renders nothing if there are none. */
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
