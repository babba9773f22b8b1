import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { KeySampleTabs } from "./key-sample-tabs";

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
