import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { kebabOf } from "@/lib/docs/slug";
import type { Node } from "@/lib/reference/node";
import type { Answer, OperationReference } from "@/lib/reference/read-reference";
import { samplesOf } from "@/lib/reference/samples-of";
import { Anchored } from "./anchored";
import { Fields, Parameters } from "./fields";
import { Samples } from "./samples";
import { Text } from "./text";

/** An operation of the API: what it takes, what it answers, and a request that was really answered so. */
export function Operation({ operation, origin }: { operation: OperationReference; origin: string }) {
  const { id, method, path, summary, description, parameters, body, answers, errors } = operation;
  const { curl, typescript, python } = samplesOf(operation, origin);
  return (
    <section className="docs-operation" aria-labelledby={kebabOf(id)}>
      <div>
        <Anchored depth={2} id={kebabOf(id)}>
          {summary}
        </Anchored>
        <p className="docs-endpoint">
          <span className="docs-method" data-method={method}>
            {method}
          </span>
          <code>{path}</code>
        </p>
        {description && <Text>{description}</Text>}
        <p className="docs-note">
          Scope: <code>{operation.scope}</code>
        </p>
        <AgentKeys agentKeys={operation.agentKeys} />
        {parameters.length > 0 && (
          <Part title="Parameters">
            <Parameters parameters={parameters} />
          </Part>
        )}
        {body && (
          <Part title={body.required ? "Request body" : "Request body (optional)"}>
            <Fields fields={body.fields} sent />
          </Part>
        )}
        <Part title="Responses">
          {answers.map((answer) => (
            <AnswerFields key={answer.status} answer={answer} alone={answers.length === 1} />
          ))}
        </Part>
        <Part title="Errors">
          <ul className="docs-errors">
            {errors.flatMap(({ status, codes }) =>
              codes.map((code) => (
                <li key={`${status} ${code}`}>
                  <Link href={`/docs/errors/${code}`}>
                    <span>{status}</span> {code}
                  </Link>
                </li>
              )),
            )}
          </ul>
        </Part>
      </div>
      <div className="docs-operation-samples">
        <Samples
          samples={[
            { language: "bash", code: curl },
            { language: "ts", code: typescript },
            { language: "python", code: python },
          ]}
        />
        {[...answers].sort(byExample(operation)).map(({ status, example, request }, index) => (
          <Example key={status} status={status} example={example} request={index > 0 ? request : undefined} />
        ))}
      </div>
    </section>
  );
}

/** The answer to the request that is shown stands right below it. */
const byExample = ({ example }: OperationReference) => {
  const rank = ({ request }: Answer) => (request === example.body ? 0 : 1);
  return (one: Answer, other: Answer) => rank(one) - rank(other);
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="docs-part">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function AgentKeys({ agentKeys }: { agentKeys: string }) {
  return agentKeys === "allowed" ? (
    <p className="docs-note">An agent’s key may call this.</p>
  ) : (
    <p className="docs-note">
      With an agent’s key it returns{" "}
      <Link href={`/docs/errors/${agentKeys}`}>
        <code>{agentKeys}</code>
      </Link>
      .
    </p>
  );
}

function AnswerFields({ answer: { status, description, fields }, alone }: { answer: Answer; alone: boolean }) {
  const head = (
    <>
      <span className="docs-status">{status}</span> {description}
    </>
  );
  if (fields.length === 0) return <p className="docs-answer">{head}</p>;
  return (
    <details className="docs-answer" open={alone}>
      <summary>{head}</summary>
      <Fields fields={fields} sent={false} />
    </details>
  );
}

function Example({ status, example, request }: { status: number; example?: Node; request?: Node }) {
  return (
    <>
      {request !== undefined && <Json title={`Request for the ${status} example`} value={request} />}
      {example === undefined ? null : <Json title={`Response ${status}`} value={example} />}
    </>
  );
}

/** A recorded body, indented. */
export function Json({ title, value }: { title: string; value: Node }) {
  return <Samples title={title} samples={[{ language: "json", code: JSON.stringify(value, null, 2) }]} />;
}
