import type { Field } from "@/lib/reference/fields-of";
import type { Parameter } from "@/lib/reference/read-reference";
import { Text } from "./text";

/** The fields of a body or an answer; those of objects inside open below theirs. */
export function Fields({ fields, sent }: { fields: Field[]; sent: boolean }) {
  return (
    <ul className="docs-fields">
      {fields.map((field) => (
        <li key={field.name}>
          <p className="docs-field-head">
            <code>{field.name}</code>
            <span>{field.type}</span>
            {sent && field.required && <strong>required</strong>}
            {!sent && !field.required && <span>when it applies</span>}
          </p>
          {field.description && <Text>{field.description}</Text>}
          <Values field={field} />
          {field.fields.length > 0 && (
            <details>
              <summary>Fields of {field.name}</summary>
              <Fields fields={field.fields} sent={sent} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Values({ field: { values, default: standard } }: { field: Field }) {
  if (values.length === 0 && standard === undefined) return null;
  return (
    <p className="docs-field-values">
      {values.length > 0 && (
        <>
          {values.length === 1 ? "Always " : "One of "}
          {values.map((value) => (
            <code key={value}>{value}</code>
          ))}
        </>
      )}
      {standard !== undefined && (
        <span>
          Default <code>{JSON.stringify(standard)}</code>
        </span>
      )}
    </p>
  );
}

/** What stands in the path, the query and the headers of a request. */
export function Parameters({ parameters }: { parameters: Parameter[] }) {
  return (
    <ul className="docs-fields">
      {parameters.map(({ name, in: place, required, description, type, default: standard }) => (
        <li key={`${place} ${name}`}>
          <p className="docs-field-head">
            <code>{name}</code>
            <span>
              {place}, {type || "string"}
            </span>
            {required && <strong>required</strong>}
          </p>
          {description && <Text>{description}</Text>}
          {standard !== undefined && (
            <p className="docs-field-values">
              Default <code>{JSON.stringify(standard)}</code>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
