// Package scope decides which questions the code and specifications of the backend cannot answer: questions about
// current values of data and services, about other areas only, and about procedures or people's judgement. It knows
// English and Japanese wordings.
package scope
