// Package feedback is a strategy that searches again with words from the best sections: blind relevance feedback with
// the RM3 model.
package feedback
