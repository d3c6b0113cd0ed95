// Package scope tells questions that code and specifications of the backend can answer
// from those that they cannot: on present values of data and services, on other areas
// only, and on procedures or people's judgement. It knows wordings of two languages.
package scope
