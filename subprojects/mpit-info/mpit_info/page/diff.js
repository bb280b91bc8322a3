// Filters the variables of a comparison by name, description and change.
"use strict";

const cards = [...document.querySelectorAll(".card")];
const filter = document.getElementById("filter");
const every = document.getElementById("every");

function choose() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(word => word);
  const all = every.getAttribute("aria-pressed") === "true";
  for (const card of cards)
    card.hidden = !(words.every(word => card.dataset.search.includes(word)) && (all || words.length || card.dataset.differs));
}

if (filter) {
  filter.addEventListener("input", choose);
  every.addEventListener("click", () => {
    every.setAttribute("aria-pressed", every.getAttribute("aria-pressed") === "true" ? "false" : "true");
    choose();
  });
  choose();
}
