import type { Page } from 'playwright-core'

/** How many pairs of cells of different rows lie on each other, by more than the width of a border. */
export function overlappingCells(page: Page): Promise<number> {
  return page.evaluate<number>(`(${countOverlapping})()`)
}

const countOverlapping = `() => {
  const boxes = [...document.querySelectorAll('tbody tr')].flatMap((row, index) =>
    [...row.cells].map(cell => ({ index, box: cell.getBoundingClientRect() })),
  )
  const overlap = (a, b) =>
    a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1
  return boxes.reduce(
    (count, one) => count + boxes.filter(other => other.index > one.index && overlap(one.box, other.box)).length,
    0,
  )
}`
