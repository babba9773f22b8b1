import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";

/** One thing to do in an emergency: what it does, how long it takes, what it needs and what comes after it. */
export function EmergencyCard({
  id,
  title,
  description,
  takes,
  needs,
  afterwards,
  action,
  children,
}: {
  id: string;
  title: string;
  description: ReactNode;
  takes: string;
  needs: string;
  afterwards: ReactNode;
  action: ReactNode;
  /** How it goes, and what came of it. */
  children?: ReactNode;
}) {
  const facts = [
    { name: "Takes", says: takes },
    { name: "Needs", says: needs },
    { name: "Afterwards", says: afterwards },
  ];
  return (
    <Card id={id} title={title} description={description} action={action}>
      <div className="grid gap-4">
        <dl className="grid grid-cols-2 gap-x-8 gap-y-3 border-line border-t pt-4 text-sm *:last:col-span-2 sm:grid-cols-4">
          {facts.map(({ name, says }) => (
            <div key={name}>
              <dt className="text-muted text-xs">{name}</dt>
              <dd className="mt-0.5 text-pretty">{says}</dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
    </Card>
  );
}
