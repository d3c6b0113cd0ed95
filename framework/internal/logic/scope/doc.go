// Package scope decides which questions code and specifications of the backend cannot answer: those about present
// values of data and services, about other areas only, and about procedures or people's judgement. It knows English
// and Japanese wordings.
package scope
