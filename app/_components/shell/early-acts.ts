/** Sent to the window once the page's controls answer. */
export const pageLives = 'parley:page-lives'

/**
 * Runs in the page's head, as text: keeps what a person presses or fills in before the page's scripts have taken it over, which
 * would be lost, and does it again in the same order as soon as they have. Links, and forms that name their address, work
 * without scripts and are left alone. It sees nothing of the module around it.
 */
export function keepEarlyActs(lives: string): void {
  type Filled = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement
  const acts = new Set<HTMLButtonElement | Filled>()
  const note = (control: HTMLButtonElement | Filled) => {
    acts.delete(control)
    acts.add(control)
  }
  function onClick(event: MouseEvent) {
    const button = event.target instanceof Element ? event.target.closest('button') : null
    if (!button || (button.type === 'submit' && button.form?.hasAttribute('action'))) return
    // Nobody else may answer it as well: done twice, what opens would close.
    event.preventDefault()
    event.stopPropagation()
    note(button)
  }
  function onInput(event: Event) {
    const { target } = event
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) note(target)
  }
  // A value that is there already is no change to React: the control is put back by the way that React sees, and filled in again.
  function fill(control: Filled) {
    if (control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')) {
      if (control.checked === control.defaultChecked) return
      control.checked = !control.checked
      control.click()
      return
    }
    if (control instanceof HTMLSelectElement || control.type === 'file') {
      control.dispatchEvent(new Event('change', { bubbles: true }))
      return
    }
    const { value } = control
    control.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, value)
    control.dispatchEvent(new Event('input', { bubbles: true }))
  }
  addEventListener('click', onClick, true)
  addEventListener('input', onInput, true)
  addEventListener(
    lives,
    () => {
      removeEventListener('click', onClick, true)
      removeEventListener('input', onInput, true)
      for (const control of acts)
        if (control instanceof HTMLButtonElement) control.click()
        else fill(control)
    },
    { once: true },
  )
}
