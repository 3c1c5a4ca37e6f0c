'use client'
import { type GivenInputs, type InputField, isFieldRequired } from './call-inputs.ts'
import type { FormFaults } from './form/validate-form-value.ts'
import { ValueField } from './form/value-field.tsx'

type Props = {
  fields: readonly InputField[]
  given: GivenInputs
  faults: FormFaults
  onChange: (given: GivenInputs) => void
}

/** The generated form for the inputs of a skill. */
export function InputFields({ fields, given, faults, onChange }: Props) {
  return fields.map((field) => (
    <ValueField
      key={field.key}
      node={{ ...field.node, isRequired: field.port.optional ? isFieldRequired(field, fields, given) : field.node.isRequired }}
      path={field.key}
      value={given[field.key]}
      faults={faults}
      onChange={(value) => onChange({ ...given, [field.key]: value })}
    />
  ))
}
