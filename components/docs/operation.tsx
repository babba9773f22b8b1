import type { ReactNode } from "react";
import { guidesAbout } from "@/lib/http/docs/related";
import { kebabOf } from "@/lib/http/docs/slug";
import type { Node } from "@/lib/http/reference/node";
import type { DocumentedResponse, OperationReference } from "@/lib/http/reference/read-reference";
import { samplesOf } from "@/lib/http/reference/samples-of";
import { Anchored } from "./anchored";
import { Fields, Parameters } from "./fields";
import { Samples } from "./samples";
import { Text } from "./text";

/** An API operation: its parameters, its response, and a recorded request with its response. */
export function Operation({ operation, origin }: { operation: OperationReference; origin: string }) {
  const { id, method, path, summary, description, parameters, body, responses, errors } = operation;
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
        <Notes operation={operation} />
        {parameters.length > 0 && (
          <Part title="Parameters">
            <Parameters parameters={parameters} />
          </Part>
        )}
        {body && (
          <Part title={body.required ? "Request body" : "Request body (optional)"}>
            {body.description && <Text>{body.description}</Text>}
            <Fields fields={body.fields} sent />
          </Part>
        )}
        <Part title="Responses">
          {responses.map((response) => (
            <ResponseFields key={response.status} response={response} alone={responses.length === 1} />
          ))}
        </Part>
        <Part title="Response headers">
          <Headers headers={operation.headers} />
        </Part>
        <Part title="Errors">
          <ul className="docs-errors">
            {errors.flatMap(({ status, codes }) =>
              codes.map((code) => (
                <li key={`${status} ${code}`}>
                  <a href={`/docs/errors/${code}`}>
                    <span>{status}</span> {code}
                  </a>
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
        {[...responses].sort(byExample(operation)).map((response, index) => (
          <Example key={response.status} method={method} response={response} withRequest={index > 0} />
        ))}
      </div>
    </section>
  );
}

/** Returns the response to the recorded request, which appears right below it. */
const byExample = ({ example }: OperationReference) => {
  const rank = ({ request }: DocumentedResponse) => (request === example ? 0 : 1);
  return (one: DocumentedResponse, other: DocumentedResponse) => rank(one) - rank(other);
};

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="docs-part">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

/** Who can call the operation, how often, and whether it is safe to repeat. */
function Notes({ operation: { id, scope, agentKeys, parameters } }: { operation: OperationReference }) {
  const idempotent = parameters.some(({ name }) => name === "Idempotency-Key");
  return (
    <ul className="docs-notes">
      <li>
        <a href="/docs/api/authentication">Scope</a>: <code>{scope}</code>
      </li>
      {agentKeys === "allowed" ? (
        <li>Callable with agent keys</li>
      ) : (
        <li>
          Not callable with agent keys:{" "}
          <a href={`/docs/errors/${agentKeys}`}>
            <code>{agentKeys}</code>
          </a>
        </li>
      )}
      {idempotent && (
        <li>
          <a href="/docs/api/idempotency">Idempotent</a> with <code>Idempotency-Key</code>
        </li>
      )}
      <li>
        Counts against the <a href="/docs/api/rate-limits">rate limit</a> of the key
      </li>
      {guidesAbout(id).map(({ slug, title }) => (
        <li key={slug}>
          Guide: <a href={`/docs/${slug}`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}

function Headers({ headers }: Pick<OperationReference, "headers">) {
  return (
    <details className="docs-response">
      <summary>{headers.map(({ name }) => name).join(", ")}</summary>
      <ul className="docs-fields">
        {headers.map(({ name, description }) => (
          <li key={name}>
            <p className="docs-field-head">
              <code>{name}</code>
            </p>
            <Text>{description}</Text>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ResponseFields({
  response: { status, description, fields },
  alone,
}: {
  response: DocumentedResponse;
  alone: boolean;
}) {
  const head = (
    <>
      <span className="docs-status">{status}</span> {description}
    </>
  );
  if (fields.length === 0) return <p className="docs-response">{head}</p>;
  return (
    <details className="docs-response" open={alone}>
      <summary>{head}</summary>
      <Fields fields={fields} sent={false} />
    </details>
  );
}

interface ExampleProps {
  method: string;
  response: DocumentedResponse;
  /** Whether to show the request, because it differs from the samples. */
  withRequest: boolean;
}

function Example({ method, response: { status, example, request }, withRequest }: ExampleProps) {
  return (
    <>
      {withRequest && request?.body !== undefined && (
        <JsonExample title={`Request: ${method} ${request.path}`} value={request.body} />
      )}
      {example === undefined ? null : <JsonExample title={`Response ${status}`} value={example} />}
    </>
  );
}

/** A recorded body, indented. */
export function JsonExample({ title, value }: { title: string; value: Node }) {
  return <Samples title={title} samples={[{ language: "json", code: JSON.stringify(value, null, 2) }]} />;
}
