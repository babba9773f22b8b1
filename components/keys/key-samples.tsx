import { type ReactNode, useId } from "react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";

function samples(origin: string, prefix: string, to: string): { name: string; code: string }[] {
  const key = `${prefix}…`;
  return [
    {
      name: "curl",
      code: `export HALCYON_API_KEY=${key}

curl ${origin}/v1/transfers \\
  -H "Authorization: Bearer $HALCYON_API_KEY" \\
  -H "Idempotency-Key: order-1" \\
  -d '{"to": "${to}", "amount": "1.50", "memo": "hello"}'`,
    },
    {
      name: "TypeScript",
      code: `// HALCYON_API_KEY=${key}
const response = await fetch("${origin}/v1/transfers", {
  method: "POST",
  headers: {
    Authorization: \`Bearer \${process.env.HALCYON_API_KEY}\`,
    "Idempotency-Key": "order-1",
  },
  body: JSON.stringify({ to: "${to}", amount: "1.50", memo: "hello" }),
});
console.log(response.status, await response.json());`,
    },
    {
      name: "Python",
      code: `# HALCYON_API_KEY=${key}
import json, os, urllib.request

request = urllib.request.Request(
    "${origin}/v1/transfers",
    headers={"Authorization": f"Bearer {os.environ['HALCYON_API_KEY']}", "Idempotency-Key": "order-1"},
    data=json.dumps({"to": "${to}", "amount": "1.50", "memo": "hello"}).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, json.load(response))`,
    },
  ];
}

/** A first payment with a key of this network, in three languages. */
export function KeySamples({ origin, prefix }: { origin: string; prefix: string }) {
  // Anyone can pay @demo on the test network. With real money, the person fills in the recipient.
  const to = prefix === "hc_test_" ? "@demo" : "@recipient";
  return (
    <Card
      className="mt-6"
      title="Pay with a key"
      description={`Pays 1.50 USDG to ${to}. Repeated with the same Idempotency-Key, it pays only once. The response, the events and the chain never show the amount.`}
    >
      <KeySampleTabs
        samples={samples(origin, prefix, to).map(({ name, code }) => ({
          name,
          panel: <CodeBlock code={code} title={name} commands />,
        }))}
      />
    </Card>
  );
}

/** Tabs that work without scripts: radio buttons, each of which shows the panel after it. */
function KeySampleTabs({ samples }: { samples: { name: string; panel: ReactNode }[] }) {
  const group = useId();
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Language of the sample</legend>
      {samples.map(({ name, panel }, index) => (
        <div key={name} className="contents">
          <input
            type="radio"
            name={group}
            id={`${group}-${index}`}
            defaultChecked={index === 0}
            className="peer sr-only"
          />
          <label
            htmlFor={`${group}-${index}`}
            className="rounded-md px-2.5 py-1.5 text-muted text-sm hover:text-ink peer-checked:bg-sunken peer-checked:font-medium peer-checked:text-ink peer-focus-visible:outline-2 peer-focus-visible:outline-accent pointer-coarse:py-3"
          >
            {name}
          </label>
          <div className="order-1 mt-3 hidden w-full peer-checked:block">{panel}</div>
        </div>
      ))}
    </fieldset>
  );
}
